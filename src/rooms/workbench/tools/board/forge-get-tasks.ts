import * as z from "zod";
import { defineTool } from "../../../../kernel/tool.ts";
import { escapeTexts } from "../../board/model/escape.ts";
import { cursor, nextCursor, searchText, taskSummary, toTaskSummary, warnings } from "../../board/model/schemas.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId, taskStatus } from "../../model/task-model.ts";

export const forgeGetTasks = defineTool({
  name: "forge_get_tasks",
  title: "Find tasks",
  description:
    "Call it to see what there is to do, or to find a task by block, status or words. In the order of the board, a page at a time; `ready: true` gives what can be executed now, `waits_for` tells why another cannot. For the whole of a task call forge_get_task_details.",
  effect: "read",
  input: z.object({
    block_id: blockId.optional(),
    status: z.array(taskStatus).min(1).max(10).optional(),
    include_dependencies: z.boolean().default(true).describe("With the status of each dependency"),
    ready: z.boolean().optional().describe("Only those that can be executed now"),
    text: searchText.optional().describe("Only tasks with all of these words"),
    limit: z.number().int().min(1).max(limits.page).optional().describe("50 unless told"),
    cursor,
  }),
  output: z.object({
    tasks: z.array(taskSummary).max(limits.page),
    total: z.number(),
    next_cursor: nextCursor,
    warnings,
  }),
  async run({ board }: Pick<WorkbenchServices, "board">, { block_id, include_dependencies, ...filter }) {
    const page = await board.tasks({ ...filter, block: block_id, includeDependencies: include_dependencies });
    return escapeTexts({
      tasks: page.tasks.map(toTaskSummary),
      total: page.total,
      ...(page.nextCursor !== undefined && { next_cursor: page.nextCursor }),
      ...(page.warnings.length > 0 && { warnings: page.warnings }),
    });
  },
});
