import * as z from "zod";
import { defineTool } from "../../../../kernel/tool.ts";
import { escapeTexts } from "../../board/model/escape.ts";
import {
  blockSchema,
  connectionFields,
  cursor,
  nextCursor,
  searchText,
  toTaskSummary,
  warnings,
} from "../../board/model/schemas.ts";
import { combineStatuses } from "../../board/service/resolve-dependencies.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import type { Block, TaskPage } from "../../model/task-model.ts";

const maxPageSize = 200;
const maxTasksPerBlock = 50;
/** Fewer blocks where each comes with its tasks. */
const defaultPageSize = { plain: 50, withTasks: 10 };

export const forgeGetBlocks = defineTool({
  name: "forge_get_blocks",
  title: "List blocks",
  description:
    "Call it to see the parts that the project's work is divided into, each with how many tasks of which status it has. In the order of the board, a page at a time.",
  effect: "read",
  input: z.object({
    filter: z
      .strictObject({
        status: z.enum(["active", "completed", "failed"]).optional().describe("`failed`: has a failed task"),
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
  }),
  async run({ board }: Pick<WorkbenchServices, "board">, input) {
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
      blocks.push(formatBlock(block, include_connections, tasks));
    }
    return escapeTexts({
      blocks,
      total: page.total,
      ...(page.nextCursor !== undefined && { next_cursor: page.nextCursor }),
      ...(page.warnings.length > 0 && { warnings: page.warnings }),
    });
  },
});

export function formatBlock(
  block: Block,
  connections: boolean,
  page: TaskPage | undefined,
): z.input<typeof blockSchema> {
  const { pending, in_progress, completed } = block.tasks;
  const standing = combineStatuses(block.tasks);
  const isDone = standing === "completed" && pending + in_progress + completed > 0;
  const omitted = page ? page.total - page.tasks.length : 0;
  return {
    id: block.id,
    name: block.name,
    description: block.description,
    status: standing === "failed" ? "failed" : isDone ? "completed" : "active",
    task_counts: block.tasks,
    inputs: block.inputs,
    outputs: block.outputs,
    ...(connections && { connections: listConnections(block) }),
    ...(page && { tasks: page.tasks.map(toTaskSummary) }),
    ...(omitted > 0 && { tasks_omitted: omitted }),
    revision: block.revision,
  };
}

/** What the original has there; a file may have anything else beside it. */
function listConnections({ connections }: Block) {
  const side = (name: keyof typeof connectionFields) =>
    connections[name].map((connection) =>
      Object.fromEntries(
        connectionFields[name].flatMap((field) => {
          const value = connection[field];
          return typeof value === "string" ? [[field, value.slice(0, 300)]] : [];
        }),
      ),
    );
  return { input_connections: side("input_connections"), output_connections: side("output_connections") };
}
