import * as z from "zod";
import { actionsSchema } from "../../../../kernel/action-schema.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { formatExecution } from "../../executions/mappers.ts";
import { executionSchema, warningsSchema } from "../../executions/schemas.ts";
import { executionStatuses, limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";

export const forgeListExecutions = defineTool({
  name: "forge_list_executions",
  title: "List executions",
  description: "List executions of tasks, newest first, with status, branch, folder and holder.",
  effect: "read",
  untrusted: "repository",
  input: z.object({
    status: z.array(z.enum(executionStatuses)).max(50).optional(),
    block_id: z.string().min(1).max(limits.id).optional(),
    task_id: z.string().min(1).max(limits.id).optional(),
    limit: z.number().int().min(1).max(limits.page).optional().describe("Default 50"),
    cursor: z.string().max(limits.name).optional(),
  }),
  output: z.object({
    executions: z.array(executionSchema).max(limits.page),
    total: z.number(),
    next_cursor: z.string().max(limits.name).optional(),
    warnings: warningsSchema,
    next: actionsSchema,
  }),
  async run(
    { executions, guard }: Pick<WorkbenchServices, "executions" | "guard">,
    { status, block_id, task_id, limit, cursor },
    call,
  ) {
    const page = await executions.list({ status, block: block_id, task: task_id, limit, cursor });
    await guard.noteWorkRead(
      call,
      page.executions.map(({ id }) => id),
    );
    return {
      executions: page.executions.map(formatExecution),
      total: page.total,
      ...(page.nextCursor !== undefined && { next_cursor: page.nextCursor }),
      ...(page.warnings.length > 0 && { warnings: page.warnings }),
      ...(page.next.length > 0 && { next: page.next }),
    };
  },
});
