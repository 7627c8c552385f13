import type { Ticket } from "./ticket.ts";

/** What tickets need of proof. */
export type ProofPort = {
  /** How a ticket is marked when it is completed; throws where the project requires proof that is missing. */
  judge(
    ticket: Pick<Ticket, "id" | "criteria"> & { records: NonNullable<Ticket["records"]> },
    signal: AbortSignal,
  ): Promise<{ proof: "off" | "proven" | "unproven"; missing: string[] }>;
};
