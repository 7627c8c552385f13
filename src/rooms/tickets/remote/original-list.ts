import type { Ticket, TicketFilter, TicketPage, TicketSummary } from "../model.ts";
import { askedWords } from "../search-words.ts";
import { searchedWords } from "../searched.ts";

const usualPage = 50;

/** A page of all tickets, for a server that gives all or nothing: newest first, the filter's only. */
export function pageOf(tickets: readonly Ticket[], filter: TicketFilter): TicketPage {
  const { limit = usualPage, cursor = "0" } = filter;
  const from = /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  const fitting = tickets
    .filter((ticket) => fits(ticket, filter))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  const shown = fitting.slice(from, from + limit).map(summaryOf);
  const next = from + limit;
  return { tickets: shown, ...(next < fitting.length && { nextCursor: String(next) }) };
}

function fits(ticket: Ticket, { status, assignee, priority, type, text = "" }: TicketFilter): boolean {
  const stands = status === undefined ? ticket.status !== "ARCHIVED" : status.includes(ticket.status);
  const isTheirs = assignee === undefined || ticket.assignee === assignee;
  const isSuch = (priority ?? ticket.priority) === ticket.priority && (type ?? ticket.type) === ticket.type;
  return stands && isTheirs && isSuch && hasWords(ticket, text);
}

/** As the store finds them: every word, each as the beginning of one. */
function hasWords(ticket: Ticket, text: string): boolean {
  const asked = askedWords(text);
  if (asked.length === 0) return text.trim() === "";
  const said = searchedWords(ticket).split(" ");
  return asked.every((word) => said.some((known) => known.startsWith(word)));
}

function summaryOf(ticket: Ticket): TicketSummary {
  const { id, slug, title, status, type, priority, assignee, createdAt, updatedAt, revision, foreign } = ticket;
  return {
    id,
    ...(slug !== undefined && { slug }),
    title,
    status,
    ...(type && { type }),
    ...(priority && { priority }),
    ...(assignee !== undefined && { assignee }),
    createdAt,
    updatedAt,
    revision,
    foreign,
  };
}
