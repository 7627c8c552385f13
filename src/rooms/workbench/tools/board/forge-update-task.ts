import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noTaskChanges } from "../../board/model/errors.ts";
import { escapeTexts } from "../../board/model/escape-texts.ts";
import { changedTask, nameSchema, taskFields } from "../../board/model/schemas.ts";
import { formatChange, taskAbout } from "../../board/service/mappers.ts";
import type { Executions } from "../../executions/executions.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId, taskId, taskStatus } from "../../model/task-model.ts";

type Services = Pick<WorkbenchServices, "board" | "guard"> & { executions: Pick<Executions, "listOpened"> };

const fields = z.object({
  task_name: nameSchema.optional(),
  ...taskFields.shape,
  status: taskStatus.optional().describe("pending reopens it"),
});

export const forgeUpdateTask = defineTool({
  name: "forge_update_task",
  title: "Change a task",
  description: "Change a task. Only the given fields change; an empty text or list clears a field.",
  effect: "set",
  untrusted: "repository",
  input: z.object({
    block_id: blockId,
    task_id: taskId,
    ...fields.shape,
    expected_revision: z.number().int().min(1).optional().describe("Fail if it has changed since"),
  }),
  output: changedTask,
  about: taskAbout,
  async run({ board, guard, executions }: Services, input, call) {
    const { block_id, task_id, expected_revision, task_name, ticket_id, ...content } = input;
    const changes = { ...content, name: task_name, ticketId: ticket_id };
    if (Object.values(changes).every((value) => value === undefined)) throw noTaskChanges();
    const before = await board.task(block_id, task_id);
    await guard.requireTask(call, before, { own: await executions.listOpened(call), changes });
    await guard.noteRead(call, { tasks: [before] });
    // Before the change: another call may look at the task the moment it is made.
    if (!call.principal.atKeyboard) await guard.noteAuthor(call, before);
    const task = await board.updateTask(call, block_id, task_id, changes, expected_revision);
    await guard.noteAuthor(call, task, before);
    return escapeTexts(await formatChange(board, task, (tasks) => guard.noteRead(call, { tasks })));
  },
});
