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
  deadlineMs: executeDeadlineMs,
  input: z.object({ ticketId: taskId, options: executeStreamInput.shape.options }),
  output: executeOutput,
  about: ({ ticketId }) => [`ticket:${ticketId}`],
  async run(services: Pick<WorkbenchServices, "executions" | "ticketWork">, { ticketId, options }, call) {
    const started = await executeTask(services, { block_id: ticketBlock, task_id: ticketId, options }, call);
    // `forge execute` only starts it: the assistant that it then waits for does the work.
    if (call.record.kind === "command") await services.executions.release(started.execution_id);
    return started;
  },
});
