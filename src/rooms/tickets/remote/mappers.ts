import { ForgeError } from "../../../kernel/errors.ts";
import { restoreShadowed } from "../model/shadowed-fields.ts";
import type { Ticket, TicketClaim, TicketDocument, TicketFacts, TicketPage, TicketSummary } from "../model/ticket.ts";
import { readFacts } from "../reading/facts.ts";
import { field, isRecord, present, textOf } from "../reading/loose.ts";
import { readContent } from "../reading/read-content.ts";
import { withoutFacts } from "../store/fact-columns.ts";

/** What a server sends, as tickets. Whatever it sends is read loosely: it may be of another generation. */

/** Whether a server of this kind says whose words a ticket holds; from others, such fields are the ticket's own text. */
type Vouching = "vouches" | "says nothing";

export function ticketFromServer(sent: unknown, vouching: Vouching): Ticket {
  const document = documentIn(sent);
  const facts = factsIn(document, vouching);
  const rest = withoutFacts(restoreShadowed(document), facts);
  const claim = claimIn(document);
  return { ...facts, ...readContent(document), document: rest, ...(claim && { claim }) };
}

function summaryFromServer(sent: unknown): TicketSummary {
  const document = documentIn(sent);
  const { createdBy: _, updatedBy: __, previousStatus: ___, ...facts } = factsIn(document, "vouches");
  const claim = claimIn(document);
  return { ...facts, ...(claim && { claim }) };
}

export function pageFromServer(sent: unknown): TicketPage {
  if (!isRecord(sent) || !Array.isArray(sent["tickets"])) throw unexpectedAnswer("a list of tickets");
  const nextCursor = textOf(sent["nextCursor"]);
  const tickets = sent["tickets"].map(summaryFromServer);
  return { tickets, ...(nextCursor !== undefined && { nextCursor }) };
}

function factsIn(document: TicketDocument, vouching: Vouching): TicketFacts {
  const { warnings: _, id, title, status = "DRAFT", createdAt, updatedAt, ...others } = readFacts(document);
  if (id === undefined || title === undefined) throw unexpectedAnswer("a ticket");
  const changed = updatedAt ?? createdAt ?? new Date(0).toISOString();
  return {
    ...others,
    ...present({ updatedBy: textOf(field(document, "updatedBy")) }),
    id,
    title,
    status,
    createdAt: createdAt ?? changed,
    updatedAt: changed,
    revision: revisionIn(document) ?? Date.parse(changed),
    foreign: isForeign(document, vouching),
  };
}

/**
 * Everything on a server may have been written by others, but for what it vouches is the caller's own from the first word on.
 * Who made a ticket and changed it last does not tell who wrote in it between.
 */
function isForeign({ authorship, foreign }: TicketDocument, vouching: Vouching): boolean {
  return vouching === "says nothing" || authorship !== "tracked" || foreign !== false;
}

/** Servers of the original kind count no revisions; there the time of the last change tells one from another. */
function revisionIn(document: TicketDocument): number | undefined {
  const { revision } = document;
  return typeof revision === "number" && Number.isSafeInteger(revision) && revision >= 0 ? revision : undefined;
}

function claimIn({ claim }: TicketDocument): TicketClaim | undefined {
  if (!isRecord(claim)) return undefined;
  const { holder, until } = claim;
  return typeof holder === "string" && typeof until === "string" ? { holder, until } : undefined;
}

function documentIn(sent: unknown): TicketDocument {
  if (isRecord(sent)) return sent;
  throw unexpectedAnswer("a ticket");
}

export function unexpectedAnswer(expected: string): ForgeError {
  return new ForgeError("NETWORK_ERROR", `The server answered, but not with ${expected}.`, {
    details: { reason: "garbled" },
    next: ["Check that the address is a Forge server's and ends in /api; it may be of another version."],
  });
}
