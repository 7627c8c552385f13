import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { executionAbout, formatRecord } from "../../executions/mappers.ts";
import { recordSchema } from "../../executions/schemas.ts";
import { summarizeRecord } from "../../executions/summary/summarize-record.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { executionId } from "../../model/task-model.ts";

export const forgeGetExecution = defineTool({
  name: "forge_get_execution",
  title: "Show an execution",
  description: "Show an execution: timeline, changed files, test runs and issues.",
  effect: "read",
  untrusted: "repository",
  core: true,
  deadlineMs: 60_000,
  input: z.object({
    execution_id: executionId.describe("Default: your latest open one"),
    full: z.boolean().optional().describe("Default: about 8 KB"),
  }),
  output: recordSchema,
  about: executionAbout,
  async run({ executions }: Pick<WorkbenchServices, "executions">, { execution_id, full = false }, call) {
    const record = formatRecord(await executions.get(call, execution_id));
    return full ? record : summarizeRecord(record);
  },
});
