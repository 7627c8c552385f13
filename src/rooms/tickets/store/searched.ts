import { indexedText, wordsOf } from "../../../commons/search/words.ts";
import type { Ticket, TicketDocument } from "../model/model.ts";

/** What documents are found by: many changes are of a ticket's facts, and leave its document as it is. */
const ofDocuments = new WeakMap<TicketDocument, string[]>();

/** The words that full-text search finds a ticket by. */
export function searchedWords(ticket: Ticket): string {
  const { id, slug = "", title, assignee = "" } = ticket;
  return indexedText(new Set([...wordsOf([id, slug, title, assignee]), ...documentWords(ticket)]));
}

function documentWords(ticket: Ticket): string[] {
  const known = ofDocuments.get(ticket.document);
  if (known) return known;
  const words = wordsOf([
    ticket.description ?? "",
    ticket.problemStatement ?? "",
    ticket.solution ?? "",
    ...ticket.criteria.map(({ text }) => text),
    ...ticket.fileChanges.map(({ path }) => path),
  ]);
  // What came with a file may be any JSON.
  if (typeof ticket.document === "object" && ticket.document !== null) ofDocuments.set(ticket.document, words);
  return words;
}
