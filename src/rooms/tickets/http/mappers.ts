import type * as z from "zod";
import type { Call } from "../../../kernel/calls/call.ts";
import { isForeignTo } from "../model/authorship.ts";
import { canonicalId } from "../model/ids.ts";
import { restoreShadowed, shadowedFields } from "../model/shadowed-fields.ts";
import type { Ticket, TicketDocument, TicketSummary } from "../model/ticket.ts";
import { fullDocument } from "../store/fact-columns.ts";
import type { summaryResponse, ticketResponse } from "./schemas.ts";

/** What a request on one ticket is about, for the ledger. */
export function aboutTicket({ id }: { id: string }): string[] {
  return [`ticket:${canonicalId(id)}`];
}

export function revisionOf({ revision }: { revision: number }): number {
  return revision;
}

type TicketResponse = z.input<typeof ticketResponse>;

const responses = { own: new WeakMap<Ticket, TicketResponse>(), foreign: new WeakMap<Ticket, TicketResponse>() };

type Reader = Pick<Call, "principal">;

/** A cached ticket gives the same response object every time, which is then serialised only once. */
export function toResponse(ticket: Ticket, { principal }: Reader): TicketResponse {
  const foreign = isForeignTo(principal, ticket);
  if (!Object.isFrozen(ticket)) return makeResponse(ticket, foreign);
  const known = responses[foreign ? "foreign" : "own"];
  const response = known.get(ticket) ?? Object.freeze(makeResponse(ticket, foreign));
  known.set(ticket, response);
  return response;
}

function makeResponse(ticket: Ticket, foreign: boolean): TicketResponse {
  const ids = criterionIds(ticket);
  return {
    ...fullDocument(ticket),
    id: ticket.id,
    title: ticket.title,
    status: ticket.status,
    createdAt: ticket.createdAt,
    updatedAt: ticket.updatedAt,
    updatedBy: ticket.updatedBy,
    revision: ticket.revision,
    foreign,
    authorship: "tracked",
    claim: ticket.claim,
    records: ticket.records,
    blockedBy: ticket.blockedBy,
    unproven: ticket.unproven,
    acceptanceCriteriaIds: ids.length > 0 ? ids : undefined,
    covered: shadowedFields(ticket.document, ids),
  };
}

export function toSummaryResponse(ticket: TicketSummary, { principal }: Reader): z.input<typeof summaryResponse> {
  const { assignee, soleAuthor: _, ...summary } = ticket;
  return { ...summary, assignedTo: assignee, foreign: isForeignTo(principal, ticket), authorship: "tracked" };
}

/** The document in a request that was made from a response, without the server's own fields. */
export function documentFromRequest(ticket: Ticket, sent: TicketDocument): TicketDocument {
  const document = restoreShadowed(sent);
  const { acceptanceCriteriaIds: ids } = document;
  const wasComputed = ticket.document["acceptanceCriteriaIds"] === undefined;
  if (wasComputed && JSON.stringify(ids) === JSON.stringify(criterionIds(ticket)))
    delete document["acceptanceCriteriaIds"];
  return document;
}

function criterionIds({ criteria }: Ticket): string[] {
  return criteria.map(({ id }) => id);
}
