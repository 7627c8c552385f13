import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { CancelledExecution } from "../desk.ts";
import { deskForResult, facts } from "./common.ts";
import { completeExecution, executionArgument, requireExecution } from "./execution-argument.ts";

export const runCancel = defineCommand({
  ...facts,
  name: "run cancel",
  summary: "Give up an execution; its task can be begun anew",
  details:
    "Branch and work tree are removed only where nothing is lost with them; otherwise they stay, and it says where.",
  examples: [['forge run cancel --reason "Another way was found"', "The one that is open."]],
  arguments: [executionArgument],
  options: { reason: { type: "string", help: "Why; kept in the timeline." } },
  complete: completeExecution,
  async run(app: App, { positionals: [typed], options: { reason } }, out) {
    const desk = await deskForResult(app);
    const cancelled = await desk.cancel({ execution_id: await requireExecution(desk, typed), reason });
    out.data(cancelled, describe);
    return 0;
  },
});

function describe({ execution_id: id, block_id, task_id, kept, removed }: CancelledExecution): string {
  return [
    `${plain(id)} is cancelled; ${plain(`${block_id}/${task_id}`)} is pending again.`,
    ...removed.map((one) => `  removed  ${plain(one)}`),
    ...kept.map((one) => `  kept     ${plain(one)}`),
  ].join("\n");
}
