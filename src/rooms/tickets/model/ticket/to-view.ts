import type { CriterionProof } from "../../../../commons/evidence/criterion-states.ts";
import type { Ticket } from "../ticket.ts";
import type { ProofState } from "./ticket-view.ts";

/** Apart from the schema, so that commands load no zod to print a ticket. */
export function toView({ document: _, ...view }: Ticket): Omit<Ticket, "document"> {
  return view;
}

export function toCriterionState({ id, state, why, checks: [first] }: CriterionProof): ProofState {
  return { id, state, why, ...(first?.seen && { commit: first.seen.commit }) };
}
