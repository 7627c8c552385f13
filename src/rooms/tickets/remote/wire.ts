import { ForgeError } from "../../../kernel/errors.ts";
import { withoutFacts } from "../facts-columns.ts";
import type { Ticket, TicketClaim, TicketDocument, TicketFacts, TicketPage, TicketSummary } from "../model.ts";
import { readFacts } from "../reading/facts.ts";
import { field, isRecord, present, textOf } from "../reading/loose.ts";
import { readContent } from "../reading/read-ticket.ts";

/** What a server sends, as tickets. Whatever it sends is read loosely: it may be of another generation. */

/** What a server knows of a ticket beside what the ticket says. */
const serversOwn = ["revision", "foreign", "authorship", "claim", "updatedBy"] as const;

export function ticketFromServer(sent: unknown, me?: string): Ticket {
  const document = documentIn(sent);
  const facts = factsIn(document, me);
  const rest = withoutFacts(document, facts);
  for (const name of serversOwn) delete rest[name];
  const claim = claimIn(document);
  return { ...facts, ...readContent(document), document: rest, ...(claim && { claim }) };
}

function summaryFromServer(sent: unknown, me: string | undefined): TicketSummary {
  const document = documentIn(sent);
  const { createdBy: _, updatedBy: __, previousStatus: ___, ...facts } = factsIn(document, me);
  const claim = claimIn(document);
  return { ...facts, ...(claim && { claim }) };
}

export function pageFromServer(sent: unknown, me?: string): TicketPage {
  if (!isRecord(sent) || !Array.isArray(sent["tickets"])) throw noSense("a list of tickets");
  const nextCursor = textOf(sent["nextCursor"]);
  const tickets = sent["tickets"].map((ticket) => summaryFromServer(ticket, me));
  return { tickets, ...(nextCursor !== undefined && { nextCursor }) };
}

function factsIn(document: TicketDocument, me: string | undefined): TicketFacts {
  const { warnings: _, id, title, status = "DRAFT", createdAt, updatedAt, ...others } = readFacts(document);
  if (id === undefined || title === undefined) throw noSense("a ticket");
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
    foreign: isForeign(document, me),
  };
}

/**
 * Everything on a server may have been written by others, but for what it says is one person's work from the first on. Who
 * made a ticket and changed it last does not tell who wrote in it between: the server must vouch that `foreign` does.
 */
function isForeign(document: TicketDocument, me: string | undefined): boolean {
  const { authorship, foreign, createdBy, updatedBy = createdBy } = document;
  if (authorship !== "tracked" || foreign !== false) return true;
  return me === undefined || createdBy !== me || updatedBy !== me;
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
  throw noSense("a ticket");
}

export function noSense(expected: string): ForgeError {
  return new ForgeError("NETWORK_ERROR", `The server answered, but not with ${expected}.`, {
    details: { reason: "garbled" },
    suggestions: ["Check that the address is a Forge server's and ends in /api; it may be of another version."],
  });
}
