import { parseQueryWords } from "../../../../commons/search/words.ts";
import type { Ticket, TicketSummary } from "../../model/ticket.ts";
import type { TicketFilter } from "../../model/ticket-fields.ts";

/** What the filter of a list means, for lists that are made here and not by a server. */

export const defaultPageSize = 50;

/** Whether the ticket matches, apart from the words. */
export function matchesFilter(ticket: TicketSummary, filter: TicketFilter): boolean {
  const { status, assignee, unassigned, label, priority, type } = filter;
  const hasStatus = status === undefined ? ticket.status !== "ARCHIVED" : status.includes(ticket.status);
  const hasAssignee = assignee === undefined || ticket.assignee === assignee;
  return (
    hasStatus &&
    hasAssignee &&
    (!unassigned || ticket.assignee === undefined) &&
    (label === undefined || ticket.labels?.includes(label) === true) &&
    (priority ?? ticket.priority) === ticket.priority &&
    (type ?? ticket.type) === ticket.type
  );
}

/** As the store searches: every word has to be the beginning of one of these. */
export function containsWords(words: readonly string[], text: string): boolean {
  const wanted = parseQueryWords(text);
  if (wanted.length === 0) return text.trim() === "";
  return wanted.every((word) => words.some((known) => known.startsWith(word)));
}

export function toSummary(ticket: Ticket): TicketSummary {
  const { id, slug, title, status, type, priority, assignee, createdAt, updatedAt, revision, foreign, claim } = ticket;
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
    ...(ticket.labels.length > 0 && { labels: ticket.labels }),
    ...(ticket.unproven && { unproven: true as const }),
    ...(claim && { claim }),
  };
}
