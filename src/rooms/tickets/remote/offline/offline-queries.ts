import type { NamedCopy } from "../../../../commons/remote/offline/copies.ts";
import { extractWords } from "../../../../commons/search/words.ts";
import { isRecord } from "../../../../kernel/json.ts";
import { statuses } from "../../model/status.ts";
import type { Ticket, TicketPage, TicketSummary } from "../../model/ticket.ts";
import type { TicketFilter } from "../../model/ticket-fields.ts";
import { searchText } from "../../store/search-text.ts";
import { containsWords, defaultPageSize, matchesFilter, toSummary } from "./filter-tickets.ts";

/** The name of a copy tells what was asked for. */
export function ticketCopyName(id: string): string {
  return `ticket ${id}`;
}

export function listCopyName(filter: TicketFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return `list ${JSON.stringify(given.sort())}`;
}

const cursorStart = "offline-";

/** Whether a cursor is of a list that was made here; the server does not know it. */
export function isOfflineCursor(cursor: string | undefined): cursor is string {
  return cursor?.startsWith(cursorStart) ?? false;
}

type List = { at: string; filter: TicketFilter; page: TicketPage };
/** The latest summary of a ticket, and the search texts that found it. */
type Known = { summary: TicketSummary; at: string; texts: Set<string> };

/**
 * Answers questions that the server was never asked from all its earlier answers. Where they do not cover a question, the
 * result is marked as incomplete.
 */
export class OfflineQueries {
  readonly #lists: List[] = [];
  readonly #tickets = new Map<string, { ticket: Ticket; at: string }>();
  readonly #known = new Map<string, Known>();

  /** The oldest first. */
  constructor(copies: readonly NamedCopy[]) {
    for (const { name, at, value } of copies) {
      if (name.startsWith("ticket ") && isTicket(value)) this.#addTicket(value, at);
      if (name.startsWith("list ") && isPage(value)) this.#addList({ at, filter: filterIn(name), page: value });
    }
  }

  /** By id or slug. With `partly`, a summary from a list will do if nothing more is known. */
  find(name: string, { partly = false }: { partly?: boolean | undefined } = {}): Ticket | undefined {
    const isNamed = ({ id, slug }: { id: string; slug?: string }) =>
      [id, slug].some((known) => known?.toLowerCase() === name.toLowerCase());
    const read = [...this.#tickets.values()].find(({ ticket }) => isNamed(ticket));
    if (read) return { ...read.ticket, stale: read.at };
    const listed = partly ? [...this.#known.values()].find(({ summary }) => isNamed(summary)) : undefined;
    return listed && { ...withoutTexts(listed.summary), stale: listed.at, incomplete: true };
  }

  /** Undefined if nothing is known that could answer it. */
  list(filter: TicketFilter): TicketPage | undefined {
    const { limit = defaultPageSize, cursor, text = "" } = filter;
    if (cursor !== undefined && !isOfflineCursor(cursor)) return undefined;
    const from = Number(cursor?.slice(cursorStart.length) ?? 0) || 0;
    const list = this.#lists.findLast((earlier) => covers(earlier.filter, filter));
    const { newer, listed, others } = splitByList(this.#findMatching(filter), list);
    const matching = [...newer, ...listed, ...others];
    if (!list && matching.length === 0) return undefined;
    const shown = matching.slice(from, from + limit);
    const next = from + limit;
    const hasMore = next < matching.length;
    const isAll = list && (list.page.nextCursor === undefined || (hasMore && next <= newer.length + listed.length));
    const textIsKnown = text.trim() === "" || list?.filter.text === text;
    const [stale = ""] = [...shown.map(({ at }) => at), ...(list ? [list.at] : [])].sort();
    return {
      tickets: shown.map(({ summary }) => summary),
      ...(hasMore && { nextCursor: `${cursorStart}${next}` }),
      stale,
      ...(!(isAll && textIsKnown) && { incomplete: true }),
    };
  }

  #findMatching(filter: TicketFilter): Known[] {
    const { text = "" } = filter;
    return [...this.#known.values()]
      .filter(
        (known) =>
          matchesFilter(known.summary, filter) && (known.texts.has(text) || containsWords(this.#words(known), text)),
      )
      .sort((a, b) => b.summary.createdAt.localeCompare(a.summary.createdAt));
  }

  /** From the ticket itself if it was read at the same revision, else from what a list shows of it. */
  #words({ summary }: Known): string[] {
    const ticket = this.#tickets.get(summary.id)?.ticket;
    if (ticket?.revision === summary.revision) return searchText(ticket).split(" ");
    const { id, slug = "", title, assignee = "" } = summary;
    return extractWords([id, slug, title, assignee]);
  }

  #addTicket(ticket: Ticket, at: string): void {
    this.#tickets.set(ticket.id, { ticket, at });
    this.#addSummary(toSummary(ticket), at);
  }

  /** A ticket that matches a complete list and is not in it has changed since it was read. */
  #addList(list: List): void {
    const { at, filter, page } = list;
    const { text = "" } = filter;
    if (filter.cursor === undefined) this.#lists.push(list);
    const listed = new Set(page.tickets.map(({ id }) => id));
    const isComplete = filter.cursor === undefined && page.nextCursor === undefined && text.trim() === "";
    for (const [id, { summary }] of isComplete ? this.#known : []) {
      if (!listed.has(id) && matchesFilter(summary, filter)) this.#known.delete(id);
    }
    for (const summary of page.tickets) this.#addSummary(summary, at).texts.add(text);
  }

  #addSummary(summary: TicketSummary, at: string): Known {
    const before = this.#known.get(summary.id);
    const texts = before?.summary.revision === summary.revision ? before.texts : new Set<string>();
    const known = { summary, at, texts };
    this.#known.set(summary.id, known);
    return known;
  }
}

/** Tickets that are newer than a list, those in it, in its order, and the others. */
function splitByList(matching: readonly Known[], list: List | undefined) {
  const positions = new Map(list?.page.tickets.map(({ id }, position) => [id, position]));
  const positionOf = ({ summary }: Known) => positions.get(summary.id) ?? Number.POSITIVE_INFINITY;
  const unlisted = matching.filter(({ summary }) => !positions.has(summary.id));
  const isNewer = ({ at }: Known) => list !== undefined && at > list.at;
  return {
    newer: unlisted.filter(isNewer),
    listed: matching.filter(({ summary }) => positions.has(summary.id)).sort((a, b) => positionOf(a) - positionOf(b)),
    others: unlisted.filter((known) => !isNewer(known)),
  };
}

/** Whether everything that matches the narrower filter also matches the wider one. */
function covers(wider: TicketFilter, narrower: TicketFilter): boolean {
  const statusesOf = ({ status = statuses.filter((name) => name !== "ARCHIVED") }: TicketFilter) => status;
  const known = statusesOf(wider);
  const includes = (name: "assignee" | "label" | "priority" | "type" | "text") =>
    (wider[name] ?? "") === "" || wider[name] === narrower[name];
  return (
    statusesOf(narrower).every((status) => known.includes(status)) &&
    (!wider.unassigned || narrower.unassigned === true) &&
    includes("assignee") &&
    includes("label") &&
    includes("priority") &&
    includes("type") &&
    includes("text")
  );
}

function withoutTexts(summary: TicketSummary): Ticket {
  const lists = { criteria: [], fileChanges: [], designRefs: [], assumptions: [], inScope: [], outOfScope: [] };
  const { labels = [] } = summary;
  return { ...summary, ...lists, labels, dependsOn: [], questions: [], document: {} };
}

/** A name that another version of Forge wrote gives a filter that covers nothing. */
function filterIn(name: string): TicketFilter {
  try {
    const filter: unknown = JSON.parse(name.slice("list ".length));
    return Array.isArray(filter) ? Object.fromEntries(filter) : { cursor: "unknown" };
  } catch {
    return { cursor: "unknown" };
  }
}

function isTicket(value: unknown): value is Ticket {
  return isSummary(value) && "document" in value && "criteria" in value;
}

function isPage(value: unknown): value is TicketPage {
  return isRecord(value) && Array.isArray(value["tickets"]) && value["tickets"].every(isSummary);
}

function isSummary(value: unknown): value is TicketSummary {
  if (!isRecord(value)) return false;
  return ["id", "title", "status", "createdAt"].every((name) => typeof value[name] === "string");
}
