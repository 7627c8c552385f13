import type { ArgumentShape } from "../../../commons/cli/derive.ts";
import { wrongChoice } from "../../../commons/cli/errors.ts";

export const taskArguments: ArgumentShape[] = [
  {
    field: "block_id/task_id",
    name: "block/task",
    required: true,
    help: "The task, as BLOCK/TASK; or its block, followed by the task.",
  },
  { name: "task", required: false, help: "The task's id, if the block is given before it." },
];

/** Statuses in any case, with `-` or `_`. */
export function parseStatuses<Status extends string>(
  given: readonly string[],
  known: readonly Status[],
  command: string,
): Status[] | undefined {
  if (given.length === 0) return undefined;
  return given.map((name) => {
    const status = known.find((candidate) => candidate === name.trim().toLowerCase().replaceAll("-", "_"));
    if (!status) throw wrongChoice("--status", name, known, command);
    return status;
  });
}
