import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { escapeTexts } from "../../board/model/escape-texts.ts";
import { cursor, searchText, taskPage } from "../../board/model/schemas.ts";
import { formatPage } from "../../board/service/mappers.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId, taskStatus } from "../../model/task-model.ts";

export const forgeGetTasks = defineTool({
  name: "forge_get_tasks",
  title: "Find tasks",
  description: "Find tasks, in board order. `waits_for` says why a task cannot start yet.",
  effect: "read",
  untrusted: "repository",
  core: true,
  input: z.object({
    block_id: blockId.optional(),
    status: z.array(taskStatus).min(1).max(50).optional(),
    include_dependencies: z.boolean().default(true),
    ready: z.boolean().optional().describe("Can be executed now"),
    text: searchText.optional().describe("Words to find"),
    limit: z.number().int().min(1).max(limits.page).optional().describe("Default 50"),
    cursor,
  }),
  output: taskPage,
  async run(
    { board, guard }: Pick<WorkbenchServices, "board" | "guard">,
    { block_id, include_dependencies, ...filter },
    call,
  ) {
    const page = await board.tasks({ ...filter, block: block_id, includeDependencies: include_dependencies });
    await guard.noteRead(call, { tasks: page.tasks });
    return escapeTexts(formatPage(page));
  },
});
