import type { Ticket, TicketPage } from "../../model/ticket.ts";
import type { TicketFilter } from "../../model/ticket-fields.ts";
import { searchText } from "../../store/search-text.ts";
import { containsWords, defaultPageSize, matchesFilter, toSummary } from "../offline/filter-tickets.ts";

/** One page of the tickets that match, newest first: AEC servers always send all tickets. */
export function filterPage(tickets: readonly Ticket[], filter: TicketFilter): TicketPage {
  const { limit = defaultPageSize, cursor = "0", text = "" } = filter;
  const from = /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  const matching = tickets
    .filter((ticket) => matchesFilter(ticket, filter) && containsWords(searchText(ticket).split(" "), text))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  const shown = matching.slice(from, from + limit).map(toSummary);
  const next = from + limit;
  return { tickets: shown, ...(next < matching.length && { nextCursor: String(next) }) };
}
