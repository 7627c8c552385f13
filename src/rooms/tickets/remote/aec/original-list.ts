import type { Ticket, TicketFilter, TicketPage } from "../../model/model.ts";
import { searchedWords } from "../../store/searched.ts";
import { fits, hasWords, summaryOf, usualPage } from "../offline/filtering.ts";

/** A page of all tickets, for a server that gives all or nothing: newest first, the filter's only. */
export function pageOf(tickets: readonly Ticket[], filter: TicketFilter): TicketPage {
  const { limit = usualPage, cursor = "0", text = "" } = filter;
  const from = /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  const fitting = tickets
    .filter((ticket) => fits(ticket, filter) && hasWords(searchedWords(ticket).split(" "), text))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  const shown = fitting.slice(from, from + limit).map(summaryOf);
  const next = from + limit;
  return { tickets: shown, ...(next < fitting.length && { nextCursor: String(next) }) };
}
