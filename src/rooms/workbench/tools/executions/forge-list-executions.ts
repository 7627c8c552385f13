import * as z from "zod";
import { defineTool } from "../../../../kernel/tool.ts";
import { executionSchema, formatExecution, warningsSchema } from "../../executions/schemas.ts";
import { executionStatuses, limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";

export const forgeListExecutions = defineTool({
  name: "forge_list_executions",
  title: "List executions",
  description:
    "Call it to see which tasks are or were worked on, by whom, on which branch and in which folder; newest first.",
  effect: "read",
  input: z.object({
    status: z.array(z.enum(executionStatuses)).max(executionStatuses.length).optional(),
    block_id: z.string().min(1).max(limits.id).optional().describe("Id of the block."),
    task_id: z.string().min(1).max(limits.id).optional(),
    limit: z.number().int().min(1).max(limits.page).optional().describe("50 unless told."),
    cursor: z.string().max(limits.name).optional().describe("`next_cursor` of the page before."),
  }),
  output: z.object({
    executions: z.array(executionSchema).max(limits.page),
    total: z.number(),
    next_cursor: z.string().max(limits.name).optional(),
    warnings: warningsSchema,
  }),
  async run({ executions }: Pick<WorkbenchServices, "executions">, { status, block_id, task_id, limit, cursor }) {
    const page = await executions.list({ status, block: block_id, task: task_id, limit, cursor });
    return {
      executions: page.executions.map(formatExecution),
      total: page.total,
      ...(page.nextCursor !== undefined && { next_cursor: page.nextCursor }),
      ...(page.warnings.length > 0 && { warnings: page.warnings }),
    };
  },
});
