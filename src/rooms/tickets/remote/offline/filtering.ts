import { askedWords } from "../../../../commons/search/words.ts";
import type { Ticket, TicketFilter, TicketSummary } from "../../model/model.ts";

/** What a list's filter means, for lists that are made here and not on a server. */

export const usualPage = 50;

/** Whether it is one of those asked for, but for the words. */
export function fits(ticket: TicketSummary, { status, assignee, priority, type }: TicketFilter): boolean {
  const stands = status === undefined ? ticket.status !== "ARCHIVED" : status.includes(ticket.status);
  const isTheirs = assignee === undefined || ticket.assignee === assignee;
  return (
    stands && isTheirs && (priority ?? ticket.priority) === ticket.priority && (type ?? ticket.type) === ticket.type
  );
}

/** As the store finds them: every word, each as the beginning of one. */
export function hasWords(said: readonly string[], text: string): boolean {
  const asked = askedWords(text);
  if (asked.length === 0) return text.trim() === "";
  return asked.every((word) => said.some((known) => known.startsWith(word)));
}

export function summaryOf(ticket: Ticket): TicketSummary {
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
    ...(claim && { claim }),
  };
}
