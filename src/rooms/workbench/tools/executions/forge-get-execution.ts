import * as z from "zod";
import { defineTool } from "../../../../kernel/tool.ts";
import { executionAbout, formatRecord, recordSchema } from "../../executions/schemas.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { executionId } from "../../model/task-model.ts";

export const forgeGetExecution = defineTool({
  name: "forge_get_execution",
  title: "Look at an execution",
  description:
    "Call it to see what was done in an execution: its timeline, the files it changed (also past Forge's tools, as git sees them), its test runs and issues.",
  effect: "read",
  deadlineMs: 60_000,
  input: z.object({ execution_id: executionId }),
  output: recordSchema,
  about: executionAbout,
  run: async ({ executions }: Pick<WorkbenchServices, "executions">, { execution_id }, call) =>
    formatRecord(await executions.get(call, execution_id)),
});
