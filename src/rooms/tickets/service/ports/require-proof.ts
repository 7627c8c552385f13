import type { CriterionProof } from "../../../../commons/evidence/criterion-states.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import { afterEdit, editorOf } from "../../model/records/after-edit.ts";
import { hasProof, isProven } from "../../model/records/is-proven.ts";
import type { ChangeRecord, Ticket, TicketDocument } from "../../model/ticket.ts";
import { type Transition, withCriterionIds } from "../../model/transitions.ts";
import { readFacts } from "../../reading/facts.ts";
import type { TicketServices } from "../tickets.ts";

type ProofServices = Pick<TicketServices, "proof">;

/** The same for a document that replaces a ticket's, which may complete it and change its criteria at once. */
export async function requireProofOfEdit(
  services: ProofServices,
  before: Ticket,
  document: TicketDocument,
  call: Call,
): Promise<Pick<ChangeRecord, "proof">> {
  if (before.status !== "CREATED" || readFacts(document).status !== "COMPLETE") return {};
  const transition = { columns: { status: "COMPLETE" }, document: withCriterionIds(before, document), events: [] };
  return requireProof(services, previewEdit(before, transition, call), call);
}

/** A ticket as a change that is not made yet would leave it. */
export function previewEdit(before: Ticket, transition: Transition, { principal }: Call): Ticket {
  const { criteria, records } = afterEdit(before, transition, editorOf(principal, Date.now()));
  return { ...before, criteria, ...(records && { records }) };
}

/** What is proven of a ticket here and now; undefined while no check is bound and nothing waived. */
export async function readProof(
  { proof }: ProofServices,
  { id, criteria, records = {} }: Ticket,
  call: Pick<Call, "signal">,
): Promise<CriterionProof[] | undefined> {
  if (!hasProof(records)) return undefined;
  return (await proof())?.states?.({ id, criteria, records }, call.signal);
}

/** What the project's policy says about completing a ticket; throws where proof is required and missing. */
export async function requireProof(
  { proof }: ProofServices,
  { id, criteria, records = {} }: Ticket,
  { signal }: Call,
): Promise<Pick<ChangeRecord, "proof">> {
  const port = await proof();
  if (!port) return { proof: isProven({ criteria, records }) ? "proven" : "unproven" };
  return { proof: (await port.judge({ id, criteria, records }, signal)).proof };
}
