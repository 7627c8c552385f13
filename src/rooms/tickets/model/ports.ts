import type { CriterionProof } from "../../../commons/evidence/criterion-states.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import type { Work } from "./records/schema.ts";
import type { Ticket } from "./ticket.ts";

/** What tickets need of the workbench. */
export type WorkbenchPort = {
  /** The tasks that belong to a ticket. */
  tasksOf(call: Call, ticketId: string): Promise<{ id: string; name: string; status: string }[]>;
  /** The files that work on its tasks may change without asking: any but protected ones, or these. */
  filesOf(ticketId: string): Promise<"any" | readonly string[]>;
  /** What became of executions that have ended here. */
  endedWork(executions: readonly string[]): Promise<Work[]>;
  /** Begins or resumes the execution of a ticket. */
  execute(call: Call, ticketId: string): Promise<StartedExecution>;
};

type StartedExecution = {
  execution_id: string;
  root: string;
  branch_created?: string | undefined;
  resumed: boolean;
};

type ProvenTicket = Pick<Ticket, "id" | "criteria"> & { records: NonNullable<Ticket["records"]> };

/** What tickets need of proof. */
export type ProofPort = {
  /** How a ticket is marked when it is completed; throws where the project requires proof that is missing. */
  judge(
    ticket: ProvenTicket,
    signal: AbortSignal,
  ): Promise<{ proof: "off" | "proven" | "unproven"; missing: string[] }>;
  /** Each criterion's state here and now; absent where there is no repository. */
  states?(ticket: ProvenTicket, signal: AbortSignal): Promise<CriterionProof[]>;
};
