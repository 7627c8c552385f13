import { readCriterionStates } from "../../../../commons/evidence/criterion-states.ts";
import type { Ticket } from "../ticket.ts";
import type { TicketRecords } from "./schema.ts";

/** Whether nothing is left to prove: every criterion is proven or waived. A ticket without criteria has nothing to prove. */
export function isProven({ criteria, records = {} }: Pick<Ticket, "criteria" | "records">): boolean {
  return readCriterionStates(criteria, records).every(({ state }) => state === "proven" || state === "waived");
}

/** Whether anything is known about the proof of a ticket. */
export function hasProof({ checks = [], waivers = [], dropped = [] }: TicketRecords): boolean {
  return checks.length > 0 || waivers.length > 0 || dropped.length > 0;
}
