import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { escapeTexts } from "../../board/model/escape-texts.ts";
import { taskPage } from "../../board/model/schemas.ts";
import { formatPage } from "../../board/service/mappers.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId } from "../../model/task-model.ts";

export const forgeGetTaskQueue = defineTool({
  name: "forge_get_task_queue",
  title: "Show the task queue",
  description: "The tasks that can be executed now, and those that wait for others, in board order.",
  effect: "read",
  untrusted: "repository",
  surfaces: ["cli"],
  input: z.object({
    block_id: blockId.optional().describe("Only tasks of this block"),
    limit: z.number().int().min(1).max(200).default(50).describe("Maximum number of each"),
  }),
  output: z.object({ ready: taskPage, waiting: taskPage }),
  async run({ board, guard }: Pick<WorkbenchServices, "board" | "guard">, { block_id: block, limit }, call) {
    const ready = await board.tasks({ block, limit, ready: true });
    const waiting = await board.tasks({ block, limit, ready: false, status: ["pending", "in_progress", "failed"] });
    await guard.noteRead(call, { tasks: [...ready.tasks, ...waiting.tasks] });
    return escapeTexts({ ready: formatPage(ready), waiting: formatPage(waiting) });
  },
});
