import * as z from "zod";
import { limits } from "../bounds.ts";
import { wholeDocument } from "../facts-columns.ts";
import { canonicalId } from "../ids.ts";
import {
  priority,
  status,
  type Ticket,
  type TicketDocument,
  type TicketSummary,
  ticketId,
  ticketType,
} from "../model.ts";

const line = z.string().max(limits.line);
const date = z.string().max(40).describe("ISO 8601");

/** What a document from another program says here may be anything; it goes out as it came. */
const usually = (usual: z.ZodType) => z.union([usual, z.unknown()]).optional();

const claim = z.object({ holder: line, until: date }).describe("Who is on it, until when if nothing is heard of them");
const revision = z.number().int().min(1).describe("Counts up with every change; the ETag");
const foreign = z.boolean().describe("Others than whoever made it wrote in it");

/** A ticket in an answer: what its document says, in the shape it came in, and what the server knows of it. */
export const ticketOnWire = z.looseObject({
  id: line,
  slug: usually(line),
  title: line,
  status,
  previousStatus: usually(status).describe("What an archived ticket was before"),
  type: usually(ticketType),
  priority: usually(priority),
  assignedTo: usually(line),
  createdAt: date,
  updatedAt: date,
  createdBy: usually(line),
  updatedBy: line.optional(),
  revision,
  foreign,
  claim: claim.optional(),
  acceptanceCriteriaIds: z.array(z.string().max(40)).optional().describe("AC-1, AC-2, …, in the order of the criteria"),
});

export const summaryOnWire = z.object({
  id: line,
  slug: line.optional(),
  title: line,
  status,
  type: ticketType.optional(),
  priority: priority.optional(),
  assignedTo: line.optional(),
  createdAt: date,
  updatedAt: date,
  revision,
  foreign,
  claim: claim.optional(),
});

export const pageOnWire = z.object({
  tickets: z.array(summaryOnWire).max(200),
  nextCursor: z.string().max(200).optional().describe("Asks for the page after this one; absent on the last"),
});

export const oneTicket = z.object({ id: ticketId });

/** What a request on one ticket is about, for the ledger. */
export function aboutTicket({ id }: { id: string }): string[] {
  return [`ticket:${canonicalId(id)}`];
}

export function revisionOf({ revision: read }: { revision: number }): number {
  return read;
}

type ShownTicket = z.input<typeof ticketOnWire>;

const shownBefore = new WeakMap<Ticket, ShownTicket>();

/** A ticket that does not change is shown as the same object every time, which is then written once. */
export function showTicket(ticket: Ticket): ShownTicket {
  if (!Object.isFrozen(ticket)) return shown(ticket);
  const known = shownBefore.get(ticket) ?? Object.freeze(shown(ticket));
  shownBefore.set(ticket, known);
  return known;
}

function shown(ticket: Ticket): ShownTicket {
  const ids = criterionIds(ticket);
  return {
    ...wholeDocument(ticket),
    id: ticket.id,
    title: ticket.title,
    status: ticket.status,
    createdAt: ticket.createdAt,
    updatedAt: ticket.updatedAt,
    updatedBy: ticket.updatedBy,
    revision: ticket.revision,
    foreign: ticket.foreign,
    claim: ticket.claim,
    acceptanceCriteriaIds: ids.length > 0 ? ids : undefined,
  };
}

export function showSummary({ assignee, ...summary }: TicketSummary): z.input<typeof summaryOnWire> {
  return { ...summary, assignedTo: assignee };
}

/** A document that was read from here, without what the server alone knows. */
export function documentFromWire(ticket: Ticket, sent: TicketDocument): TicketDocument {
  const { revision: _, foreign: __, claim: ___, updatedBy: ____, ...document } = sent;
  const { acceptanceCriteriaIds: ids } = document;
  const wasComputed = ticket.document["acceptanceCriteriaIds"] === undefined;
  if (wasComputed && JSON.stringify(ids) === JSON.stringify(criterionIds(ticket)))
    delete document["acceptanceCriteriaIds"];
  return document;
}

function criterionIds({ criteria }: Ticket): string[] {
  return criteria.map(({ id }) => id);
}
