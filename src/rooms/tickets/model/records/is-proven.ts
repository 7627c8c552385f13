import { readCriterionStates } from "../../../../commons/evidence/criterion-states.ts";
import type { Ticket } from "../ticket.ts";

/** Whether nothing is left to prove: every criterion is proven or waived. A ticket without criteria has nothing to prove. */
export function isProven({ criteria, records = {} }: Pick<Ticket, "criteria" | "records">): boolean {
  return readCriterionStates(criteria, records).every(({ state }) => state === "proven" || state === "waived");
}
