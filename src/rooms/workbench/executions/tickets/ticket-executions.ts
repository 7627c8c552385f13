import type { Call } from "../../../../kernel/calls/call.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { ticketBlock } from "../../model/ticket-items.ts";
import { executeTask } from "../start/execute-task.ts";
import { toEndedWork } from "./ticket-work.ts";

const maxTasks = 100;

/** What tickets are offered of the workbench: their tasks, and to be executed. */
export function makeTicketExecutions(services: WorkbenchServices) {
  return {
    /** The tasks that belong to a ticket, apart from the one that stands for the ticket itself. */
    async tasksOf(call: Call, ticketId: string) {
      const all = await services.board.tasksOfTicket(ticketId, maxTasks);
      // Most tickets have none, and every reading of a ticket comes through here.
      if (all.length === 0) return [];
      const tasks = all.filter(({ blockId }) => blockId !== ticketBlock);
      await services.guard.noteRead(call, { tasks });
      return tasks.map(({ id, blockId, name, status }) => ({ id: `${blockId}/${id}`, name, status }));
    },
    /** The files that work on the ticket's tasks may change without asking. */
    async filesOf(ticketId: string) {
      const tasks = await services.board.tasksOfTicket(ticketId, maxTasks);
      // More than a question can show.
      if (tasks.length === maxTasks) return "any";
      return services.guard.listFiles(
        await Promise.all(tasks.map(({ blockId, id }) => services.board.task(blockId, id))),
      );
    },
    /** What became of executions; of those that are open, or were made elsewhere, nothing is said. */
    async endedWork(executions: readonly string[]) {
      return (await services.executions.listEnded(executions)).map(toEndedWork);
    },
    /** Begins or resumes the execution of a ticket. */
    execute(call: Call, ticketId: string) {
      services.executions.requireRepository();
      return executeTask(services, { block_id: ticketBlock, task_id: ticketId, options: undefined }, call);
    },
  };
}
