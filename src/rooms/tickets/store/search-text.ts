import { extractWords, formatIndexText } from "../../../commons/search/words.ts";
import type { Ticket, TicketDocument } from "../model/ticket.ts";

/** Words by document: many changes are to a ticket's facts only and keep its document. */
const wordsByDocument = new WeakMap<TicketDocument, string[]>();

/** The words that full-text search finds a ticket by. */
export function searchText(ticket: Ticket): string {
  const { id, slug = "", title, assignee = "" } = ticket;
  return formatIndexText(new Set([...extractWords([id, slug, title, assignee]), ...documentWords(ticket)]));
}

function documentWords(ticket: Ticket): string[] {
  const known = wordsByDocument.get(ticket.document);
  if (known) return known;
  const words = extractWords([
    ticket.description ?? "",
    ticket.problemStatement ?? "",
    ticket.solution ?? "",
    ...ticket.criteria.map(({ text }) => text),
    ...ticket.fileChanges.map(({ path }) => path),
  ]);
  // A document from a file can be any JSON value.
  if (typeof ticket.document === "object" && ticket.document !== null) wordsByDocument.set(ticket.document, words);
  return words;
}
