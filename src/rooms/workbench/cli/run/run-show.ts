import { commandFor } from "../../../../commons/cli/command-for.ts";
import type { forgeGetExecution } from "../../tools/executions/forge-get-execution.ts";
import { executionArgument, requireExecution } from "../execution-argument.ts";
import { commandFacts } from "../shared.ts";
import { suggestExecution } from "../suggestions.ts";
import { describeExecution } from "./describe-execution.ts";

export const runShow = commandFor<typeof forgeGetExecution>({
  ...commandFacts,
  tool: "forge_get_execution",
  name: "run show",
  summary: "Show an execution",
  details: "Its status and timeline, the files it changed (also without Forge's tools), its test runs and its issues.",
  examples: [
    ["forge run show", "Show the only open execution."],
    ["forge run show 5d0c", "Show an execution by the beginning of its id."],
  ],
  arguments: [executionArgument],
  only: true,
  complete: suggestExecution,
  toInput: async ({ execution_id }, { app }) => ({
    execution_id: await requireExecution(app, execution_id),
    full: true,
  }),
  print: (record, out) => out.print(describeExecution(record, out.style)),
});
