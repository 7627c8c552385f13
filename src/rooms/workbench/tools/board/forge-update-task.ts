import * as z from "zod";
import { ForgeError } from "../../../../kernel/errors.ts";
import { defineTool } from "../../../../kernel/tool.ts";
import { escapeTexts } from "../../board/model/escape.ts";
import { aboutTask, changedTask, nameSchema, taskFields, toChangedTask } from "../../board/model/schemas.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { blockId, taskId, taskStatus } from "../../model/task-model.ts";

const fields = z.object({
  task_name: nameSchema.optional(),
  ...taskFields.shape,
  status: taskStatus.optional().describe("pending or failed; an execution sets the others"),
});

export const forgeUpdateTask = defineTool({
  name: "forge_update_task",
  title: "Change what a task says",
  description:
    "Call it when a task's text, criteria, files or dependencies must change, or to open a failed one again (status pending). Only the fields you give change; an empty text or list clears one, `ticket_id: null` takes it from its ticket. Give `expected_revision` to be refused where somebody changed it meanwhile.",
  effect: "set",
  input: z.object({
    block_id: blockId,
    task_id: taskId,
    ...fields.shape,
    expected_revision: z.number().int().min(1).optional(),
  }),
  output: changedTask,
  about: aboutTask,
  async run({ board }: Pick<WorkbenchServices, "board">, input, call) {
    const { block_id, task_id, expected_revision, task_name, ticket_id, ...said } = input;
    const changes = { ...said, name: task_name, ticketId: ticket_id };
    if (Object.values(changes).every((value) => value === undefined)) throw nothingToChange();
    const task = await board.updateTask(call, block_id, task_id, changes, expected_revision);
    return escapeTexts(await toChangedTask(board, task));
  },
});

function nothingToChange(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "No field to change was given.", {
    next: [`Give at least one of ${Object.keys(fields.shape).join(", ")}.`],
  });
}
