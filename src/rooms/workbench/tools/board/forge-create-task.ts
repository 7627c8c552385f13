import * as z from "zod";
import { defineTool } from "../../../../kernel/tool.ts";
import { escapeTexts } from "../../board/model/escape.ts";
import { changedTask, nameSchema, taskFields, toChangedTask } from "../../board/model/schemas.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId, taskStatus } from "../../model/task-model.ts";

export const forgeCreateTask = defineTool({
  name: "forge_create_task",
  title: "Add a task to a block",
  description:
    "Call it to write down a piece of work for later, or to split a large task. Say what must be true when it is done and what has to be done before it; `warnings` name dependencies that are unknown or go in a circle.",
  effect: "add",
  input: z.object({
    block_id: blockId,
    task_name: nameSchema,
    ...taskFields.shape,
    status: taskStatus.optional().describe("pending unless told; executions set the others"),
  }),
  output: changedTask,
  async run({ board }: Pick<WorkbenchServices, "board">, input, call) {
    const { block_id, task_name, ticket_id, ...said } = input;
    const task = await board.createTask(call, block_id, { ...said, name: task_name, ticketId: ticket_id ?? undefined });
    return escapeTexts(await toChangedTask(board, task));
  },
});
