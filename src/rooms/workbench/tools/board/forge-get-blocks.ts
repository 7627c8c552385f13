import * as z from "zod";
import { defineTool } from "../../../../kernel/tool.ts";
import { shown } from "../../board/model/escape.ts";
import {
  blockOut,
  connectionFields,
  cursor,
  nextCursor,
  searched,
  summaryOut,
  warnings,
} from "../../board/model/schemas.ts";
import { statusOf } from "../../board/service/resolve-dependencies.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import type { Block, TaskPage } from "../../model/task-model.ts";

const most = 200;
const mostTasks = 50;
/** Fewer blocks where each comes with its tasks. */
const usual = { plain: 50, withTasks: 10 };

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
        search_term: searched.optional(),
      })
      .optional(),
    include_tasks: z.boolean().default(false),
    include_connections: z.boolean().default(false),
    limit: z.number().int().min(1).max(most).optional(),
    cursor,
  }),
  output: z.object({
    blocks: z.array(blockOut).max(most),
    total: z.number(),
    next_cursor: nextCursor,
    warnings,
  }),
  async run({ board }: Pick<WorkbenchServices, "board">, input) {
    const { filter = {}, include_tasks, include_connections, cursor: from } = input;
    const { limit = include_tasks ? usual.withTasks : usual.plain } = input;
    const page = await board.blocks({
      text: filter.search_term,
      status: filter.status,
      hasTasks: filter.has_tasks,
      limit,
      cursor: from,
    });
    const blocks: z.input<typeof blockOut>[] = [];
    for (const block of page.blocks) {
      const tasks = include_tasks ? await board.tasks({ block: block.id, limit: mostTasks }) : undefined;
      blocks.push(shownBlock(block, include_connections, tasks));
    }
    return shown({
      blocks,
      total: page.total,
      ...(page.nextCursor !== undefined && { next_cursor: page.nextCursor }),
      ...(page.warnings.length > 0 && { warnings: page.warnings }),
    });
  },
});

export function shownBlock(block: Block, connections: boolean, page: TaskPage | undefined): z.input<typeof blockOut> {
  const { pending, in_progress, completed } = block.tasks;
  const standing = statusOf(block.tasks);
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
    ...(connections && { connections: connectionsOf(block) }),
    ...(page && { tasks: page.tasks.map(summaryOut) }),
    ...(omitted > 0 && { tasks_omitted: omitted }),
    revision: block.revision,
  };
}

/** What the original has there; a file may have anything else beside it. */
function connectionsOf({ connections }: Block) {
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
