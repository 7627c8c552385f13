import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { escapeTexts } from "../../board/model/escape-texts.ts";
import { changedTask, nameSchema, taskFields } from "../../board/model/schemas.ts";
import { formatChange } from "../../board/service/mappers.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId, taskStatus } from "../../model/task-model.ts";

export const forgeCreateTask = defineTool({
  name: "forge_create_task",
  title: "Create a task",
  description: "Add a task to a block. `warnings` names dependencies that are unknown or circular.",
  effect: "add",
  input: z.object({
    block_id: blockId,
    task_name: nameSchema,
    ...taskFields.shape,
    status: taskStatus.optional().meta({ unadvertised: true, description: "Default: pending" }),
  }),
  output: changedTask,
  async run({ board, guard }: Pick<WorkbenchServices, "board" | "guard">, input, call) {
    const { block_id, task_name, ticket_id, ...content } = input;
    const draft = { ...content, name: task_name, ticketId: ticket_id ?? undefined };
    await guard.requireLink(call, draft);
    const task = await board.createTask(await guard.authorOf(call), block_id, draft);
    await guard.noteAuthor(call, task);
    return escapeTexts(await formatChange(board, task, (tasks) => guard.noteRead(call, { tasks })));
  },
});
