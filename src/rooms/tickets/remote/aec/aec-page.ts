import type { Ticket, TicketFilter, TicketPage } from "../../model/ticket.ts";
import { searchText } from "../../store/search-text.ts";
import { matchesFilter, containsWords, toSummary, defaultPageSize } from "../offline/filter-tickets.ts";

/** A page of all tickets, for a server that gives all or nothing: newest first, the filter's only. */
export function filterPage(tickets: readonly Ticket[], filter: TicketFilter): TicketPage {
  const { limit = defaultPageSize, cursor = "0", text = "" } = filter;
  const from = /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  const fitting = tickets
    .filter((ticket) => matchesFilter(ticket, filter) && containsWords(searchText(ticket).split(" "), text))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  const shown = fitting.slice(from, from + limit).map(toSummary);
  const next = from + limit;
  return { tickets: shown, ...(next < fitting.length && { nextCursor: String(next) }) };
}
