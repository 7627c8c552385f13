import { commandFor } from "../../../../commons/cli/command-for.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeCancelExecution } from "../../tools/executions/forge-cancel-execution.ts";
import { executionArgument, requireExecution } from "../execution-argument.ts";
import { commandFacts } from "../shared.ts";
import { suggestExecution } from "../suggestions.ts";

export const runCancel = commandFor<typeof forgeCancelExecution>({
  ...commandFacts,
  tool: "forge_cancel_execution",
  name: "run cancel",
  summary: "Cancel an execution; its task can be started again",
  details:
    "Branch and work tree are only removed if nothing is lost with them; otherwise they stay, and the output says where.",
  examples: [['forge run cancel --reason "Found another way"', "Cancel the only open execution."]],
  arguments: [executionArgument],
  options: { reason: { help: "Why; recorded in the timeline." } },
  complete: suggestExecution,
  toInput: async (given, { app }) => ({ ...given, execution_id: await requireExecution(app, given["execution_id"]) }),
  print({ execution_id: id, block_id, task_id, kept, removed }, out) {
    out.print(`${plain(id)} is cancelled; ${plain(`${block_id}/${task_id}`)} is pending again.`);
    for (const one of removed) out.print(`  removed  ${plain(one)}`);
    for (const one of kept) out.print(`  kept     ${plain(one)}`);
  },
});
