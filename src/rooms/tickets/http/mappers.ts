import * as z from "zod";
import type { Call } from "../../../kernel/call.ts";
import { isForeignTo } from "../model/authorship.ts";
import { canonicalId } from "../model/ids.ts";
import { limits } from "../model/limits.ts";
import { claim } from "../model/schema-parts.ts";
import { restoreShadowed, shadowedFields } from "../model/shadowed-fields.ts";
import {
  priority,
  status,
  type Ticket,
  type TicketDocument,
  type TicketSummary,
  ticketId,
  ticketType,
} from "../model/ticket.ts";
import { fullDocument } from "../store/fact-columns.ts";

const line = z.string().max(limits.line);
const date = z.string().max(40).describe("ISO 8601");

/** What a document from another program says here may be anything; it goes out as it came. */
const usually = (usual: z.ZodType) => z.union([usual, z.unknown()]).optional();

const revision = z.number().int().min(1).describe("Counts up with every change; the ETag");
/** Said of the caller: what is one person's own is foreign to the next. */
const authorship = {
  foreign: z.boolean().describe("Others than the caller wrote in it, or may have, or are on it"),
  authorship: z.literal("tracked").describe("`foreign` was kept from the ticket's first words on"),
};

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
  ...authorship,
  claim: claim.optional(),
  acceptanceCriteriaIds: z.array(z.string().max(40)).optional().describe("AC-1, AC-2, …, in the order of the criteria"),
  covered: z
    .record(z.string().max(limits.name), z.unknown())
    .optional()
    .describe("What the document itself says by the names of fields that are the server's; null is nothing"),
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
  ...authorship,
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

const shownBefore = { own: new WeakMap<Ticket, ShownTicket>(), foreign: new WeakMap<Ticket, ShownTicket>() };

type Reader = Pick<Call, "principal">;

/** A ticket that does not change is shown as the same object every time, which is then written once. */
export function showTicket(ticket: Ticket, { principal }: Reader): ShownTicket {
  const foreign = isForeignTo(principal, ticket);
  if (!Object.isFrozen(ticket)) return shown(ticket, foreign);
  const before = shownBefore[foreign ? "foreign" : "own"];
  const known = before.get(ticket) ?? Object.freeze(shown(ticket, foreign));
  before.set(ticket, known);
  return known;
}

function shown(ticket: Ticket, foreign: boolean): ShownTicket {
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
    acceptanceCriteriaIds: ids.length > 0 ? ids : undefined,
    covered: shadowedFields(ticket.document, ids),
  };
}

export function showSummary(ticket: TicketSummary, { principal }: Reader): z.input<typeof summaryOnWire> {
  const { assignee, soleAuthor: _, ...summary } = ticket;
  return { ...summary, assignedTo: assignee, foreign: isForeignTo(principal, ticket), authorship: "tracked" };
}

/** A document that was read from here, without what the server alone knows. */
export function documentFromWire(ticket: Ticket, sent: TicketDocument): TicketDocument {
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
