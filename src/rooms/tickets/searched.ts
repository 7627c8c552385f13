import type { Ticket, TicketDocument } from "./model.ts";
import { mostIndexed, mostIndexedBytes, wordsOf } from "./search-words.ts";

/** What documents are found by: many changes are of a ticket's facts, and leave its document as it is. */
const ofDocuments = new WeakMap<TicketDocument, string[]>();

/** The words that full-text search finds a ticket by. */
export function searchedWords(ticket: Ticket): string {
  const { id, slug = "", title, assignee = "" } = ticket;
  const words = new Set([...wordsOf([id, slug, title, assignee]), ...documentWords(ticket)]);
  return fitting([...words]).join(" ");
}

/** As many as both databases hold: PostgreSQL would drop others than the last, and say nothing. */
function fitting(words: string[]): string[] {
  const most = words.slice(0, mostIndexed);
  let bytes = 0;
  const end = most.findIndex((word) => {
    bytes += Buffer.byteLength(word);
    return bytes > mostIndexedBytes;
  });
  return end === -1 ? most : most.slice(0, end);
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
