import type { CriterionProof } from "../../../../commons/evidence/criterion-states.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import { parseStatus } from "../../model/status.ts";
import type { ChangeRecord, Ticket, TicketDocument } from "../../model/ticket.ts";
import { readFacts } from "../../reading/facts.ts";
import type { TicketServices } from "../tickets.ts";

/** Whether a document that replaces a ticket's completes it. */
export function completes({ status }: Ticket, document: TicketDocument): boolean {
  const { status: wanted } = readFacts(document);
  return status === "CREATED" && wanted !== undefined && parseStatus(wanted) === "COMPLETE";
}

/** What is proven of a ticket here and now; undefined while no check is bound and nothing waived. */
export async function readProof(
  { proof }: Pick<TicketServices, "proof">,
  { id, criteria, records = {} }: Ticket,
  { signal }: Pick<Call, "signal">,
): Promise<CriterionProof[] | undefined> {
  if (!records.checks?.length && !records.waivers?.length) return undefined;
  return (await proof())?.states?.({ id, criteria, records }, signal);
}

/** What the project's policy says about completing a ticket; throws where proof is required and missing. */
export async function requireProof(
  { proof }: Pick<TicketServices, "proof">,
  { id, criteria, records = {} }: Ticket,
  { signal }: Call,
): Promise<Pick<ChangeRecord, "proof">> {
  const port = await proof();
  if (!port) return {};
  return { proof: (await port.judge({ id, criteria, records }, signal)).proof };
}
