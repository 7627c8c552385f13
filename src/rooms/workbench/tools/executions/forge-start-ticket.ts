import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import {
  executeDeadlineMs,
  executeOutput,
  executeStreamInput,
  executeTask,
} from "../../executions/start/execute-task.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { taskId } from "../../model/task-model.ts";
import { ticketBlock } from "../../model/ticket-items.ts";

export const forgeStartTicket = defineTool({
  name: "forge_start_ticket",
  title: "Start a ticket",
  description: "Start or resume work on a ticket, as forge_execute_task does for a task.",
  effect: "act",
  unlisted: true,
  untrusted: "repository",
  deadlineMs: executeDeadlineMs,
  input: z.object({ ticketId: taskId, options: executeStreamInput.shape.options }),
  output: executeOutput,
  about: ({ ticketId }) => [`ticket:${ticketId}`],
  run: (services: Pick<WorkbenchServices, "executions" | "ticketWork">, { ticketId, options }, call) =>
    executeTask(services, { block_id: ticketBlock, task_id: ticketId, options }, call),
});
