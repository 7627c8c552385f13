import * as z from "zod";
import { actionsSchema } from "../../../../kernel/action-schema.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { escapeTexts } from "../../board/model/escape-texts.ts";
import { blockSchema, cursor, nextCursor, searchText, warnings } from "../../board/model/schemas.ts";
import { formatBlock } from "../../board/service/mappers.ts";
import type { WorkbenchServices } from "../../model/services.ts";

const maxPageSize = 200;
const maxTasksPerBlock = 50;
/** Fewer blocks if each comes with its tasks. */
const defaultPageSize = { plain: 50, withTasks: 10 };

export const forgeGetBlocks = defineTool({
  name: "forge_get_blocks",
  title: "List blocks",
  description: "List the blocks (parts) of the project with their number of tasks by status, in board order.",
  effect: "read",
  untrusted: "repository",
  input: z.object({
    filter: z
      .strictObject({
        status: z.enum(["active", "completed", "failed"]).optional().describe("failed: has a failed task"),
        has_tasks: z.boolean().optional(),
        search_term: searchText.optional(),
      })
      .optional(),
    include_tasks: z.boolean().default(false),
    include_connections: z.boolean().default(false),
    limit: z.number().int().min(1).max(maxPageSize).optional(),
    cursor,
  }),
  output: z.object({
    blocks: z.array(blockSchema).max(maxPageSize),
    total: z.number(),
    next_cursor: nextCursor,
    warnings,
    next: actionsSchema,
  }),
  async run({ board, guard }: Pick<WorkbenchServices, "board" | "guard">, input, call) {
    const { filter = {}, include_tasks, include_connections, cursor: from } = input;
    const { limit = include_tasks ? defaultPageSize.withTasks : defaultPageSize.plain } = input;
    const page = await board.blocks({
      text: filter.search_term,
      status: filter.status,
      hasTasks: filter.has_tasks,
      limit,
      cursor: from,
    });
    const blocks: z.input<typeof blockSchema>[] = [];
    for (const block of page.blocks) {
      const tasks = include_tasks ? await board.tasks({ block: block.id, limit: maxTasksPerBlock }) : undefined;
      await guard.noteRead(call, { blocks: [block.id], ...(tasks && { tasks: tasks.tasks }) });
      blocks.push(formatBlock(block, include_connections, tasks));
    }
    return escapeTexts({
      blocks,
      total: page.total,
      ...(page.nextCursor !== undefined && { next_cursor: page.nextCursor }),
      ...(page.warnings.length > 0 && { warnings: page.warnings }),
      ...(page.next.length > 0 && { next: page.next }),
    });
  },
});
