import { ForgeError } from "../../../../kernel/errors.ts";
import type { Execution } from "../../model/execution-model.ts";
import { describeKept } from "../finish/messages.ts";

type FailedSetup = {
  command: readonly string[];
  output: string;
  /** What stays of the branch and the work tree. */
  kept: readonly string[];
  removed: readonly string[];
};

export function setupFailed(
  { blockId, taskId }: Execution,
  { command, output, kept, removed }: FailedSetup,
): ForgeError {
  const rest =
    kept.length === 0
      ? "Its branch and work tree were removed."
      : `Removing everything would have lost something. ${describeKept(kept).join(" ")}`;
  return new ForgeError(
    "DEPENDENCY_ERROR",
    `The project's set-up command \`${command.join(" ")}\` failed in the new work tree, so the task was not started. ${rest}`,
    {
      details: { command, output, kept, removed },
      next: [
        "Read its output and fix the problem.",
        { tool: "forge_execute_task", input: { block_id: blockId, task_id: taskId }, why: "to try again" },
        ...(kept.length > 0 ? ["The user can look at what was kept, and remove it as described."] : []),
      ],
    },
  );
}
