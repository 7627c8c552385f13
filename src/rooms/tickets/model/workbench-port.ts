import type { Call } from "../../../kernel/calls/call.ts";

/** What tickets need of the workbench. */
export type WorkbenchPort = {
  /** The tasks that belong to a ticket. */
  tasksOf(ticketId: string): Promise<{ id: string; name: string; status: string }[]>;
  /** Begins or resumes the execution of a ticket. */
  execute(call: Call, ticketId: string): Promise<StartedExecution>;
};

export type StartedExecution = {
  execution_id: string;
  root: string;
  branch_created?: string | undefined;
  resumed: boolean;
};
