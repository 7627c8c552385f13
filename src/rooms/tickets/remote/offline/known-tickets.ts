import type { NamedCopy } from "../../../../commons/remote/offline/copies.ts";
import { wordsOf } from "../../../../commons/search/words.ts";
import type { Ticket, TicketFilter, TicketPage, TicketSummary } from "../../model/model.ts";
import { statuses } from "../../model/status.ts";
import { isRecord } from "../../reading/loose.ts";
import { searchedWords } from "../../store/searched.ts";
import { fits, hasWords, summaryOf, usualPage } from "./filtering.ts";

/** Copies of tickets and lists carry what was asked for in their names. */
export function ticketCopy(id: string): string {
  return `ticket ${id}`;
}

export function listCopy(filter: TicketFilter): string {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined);
  return `list ${JSON.stringify(asked.sort())}`;
}

const cursorStart = "offline-";

/** Whether a cursor is of a page that was put together here; no server knows it. */
export function isOfKnown(cursor: string | undefined): cursor is string {
  return cursor?.startsWith(cursorStart) ?? false;
}

type List = { at: string; filter: TicketFilter; page: TicketPage };
/** What was last said of a ticket, and which texts it was then found by. */
type Known = { summary: TicketSummary; at: string; texts: Set<string> };

/**
 * What all the answers of a server together tell, for questions that it was not asked. Where they do not tell all, what is
 * made of them says that it may be incomplete.
 */
export class KnownTickets {
  readonly #lists: List[] = [];
  readonly #wholes = new Map<string, { ticket: Ticket; at: string }>();
  readonly #known = new Map<string, Known>();

  /** The oldest first. */
  constructor(copies: readonly NamedCopy[]) {
    for (const { name, at, value } of copies) {
      if (name.startsWith("ticket ") && isTicket(value)) this.#hearTicket(value, at);
      if (name.startsWith("list ") && isPage(value)) this.#hearList({ at, filter: filterIn(name), page: value });
    }
  }

  /** By its id or slug: whole, or where only lists told of it and that is enough, what they told. */
  find(name: string, { partly = false }: { partly?: boolean | undefined } = {}): Ticket | undefined {
    const isIt = ({ id, slug }: { id: string; slug?: string }) =>
      [id, slug].some((known) => known?.toLowerCase() === name.toLowerCase());
    const whole = [...this.#wholes.values()].find(({ ticket }) => isIt(ticket));
    if (whole) return { ...whole.ticket, stale: whole.at };
    const listed = partly ? [...this.#known.values()].find(({ summary }) => isIt(summary)) : undefined;
    return listed && { ...withoutTexts(listed.summary), stale: listed.at, incomplete: true };
  }

  /** Undefined where nothing is known that could answer. */
  list(filter: TicketFilter): TicketPage | undefined {
    const { limit = usualPage, cursor, text = "" } = filter;
    if (cursor !== undefined && !isOfKnown(cursor)) return undefined;
    const from = Number(cursor?.slice(cursorStart.length) ?? 0) || 0;
    const whole = this.#lists.findLast((list) => covers(list.filter, filter));
    const { newer, listed, others } = inParts(this.#fitting(filter), whole);
    const fitting = [...newer, ...listed, ...others];
    if (!whole && fitting.length === 0) return undefined;
    const shown = fitting.slice(from, from + limit);
    const next = from + limit;
    const hasMore = next < fitting.length;
    const isAll = whole && (whole.page.nextCursor === undefined || (hasMore && next <= newer.length + listed.length));
    const textIsKnown = text.trim() === "" || whole?.filter.text === text;
    const [stale = ""] = [...shown.map(({ at }) => at), ...(whole ? [whole.at] : [])].sort();
    return {
      tickets: shown.map(({ summary }) => summary),
      ...(hasMore && { nextCursor: `${cursorStart}${next}` }),
      stale,
      ...(!(isAll && textIsKnown) && { incomplete: true }),
    };
  }

  #fitting(filter: TicketFilter): Known[] {
    const { text = "" } = filter;
    return [...this.#known.values()]
      .filter((known) => fits(known.summary, filter) && (known.texts.has(text) || hasWords(this.#words(known), text)))
      .sort((a, b) => b.summary.createdAt.localeCompare(a.summary.createdAt));
  }

  /** A list says little of a ticket; where the whole of it is as old, that says more. */
  #words({ summary }: Known): string[] {
    const whole = this.#wholes.get(summary.id)?.ticket;
    if (whole?.revision === summary.revision) return searchedWords(whole).split(" ");
    const { id, slug = "", title, assignee = "" } = summary;
    return wordsOf([id, slug, title, assignee]);
  }

  #hearTicket(ticket: Ticket, at: string): void {
    this.#wholes.set(ticket.id, { ticket, at });
    this.#hear(summaryOf(ticket), at);
  }

  /** What fits a list but is not in it, though all of it came, is otherwise by now. */
  #hearList(list: List): void {
    const { at, filter, page } = list;
    const { text = "" } = filter;
    if (filter.cursor === undefined) this.#lists.push(list);
    const listed = new Set(page.tickets.map(({ id }) => id));
    const isWhole = filter.cursor === undefined && page.nextCursor === undefined && text.trim() === "";
    for (const [id, { summary }] of isWhole ? this.#known : []) {
      if (!listed.has(id) && fits(summary, filter)) this.#known.delete(id);
    }
    for (const summary of page.tickets) this.#hear(summary, at).texts.add(text);
  }

  #hear(summary: TicketSummary, at: string): Known {
    const before = this.#known.get(summary.id);
    const texts = before?.summary.revision === summary.revision ? before.texts : new Set<string>();
    const known = { summary, at, texts };
    this.#known.set(summary.id, known);
    return known;
  }
}

/** What was heard since a list, what is in it, in its order, and what is not. */
function inParts(fitting: readonly Known[], list: List | undefined) {
  const places = new Map(list?.page.tickets.map(({ id }, place) => [id, place]));
  const placeOf = ({ summary }: Known) => places.get(summary.id) ?? Number.POSITIVE_INFINITY;
  const unlisted = fitting.filter(({ summary }) => !places.has(summary.id));
  const isNewer = ({ at }: Known) => list !== undefined && at > list.at;
  return {
    newer: unlisted.filter(isNewer),
    listed: fitting.filter(({ summary }) => places.has(summary.id)).sort((a, b) => placeOf(a) - placeOf(b)),
    others: unlisted.filter((known) => !isNewer(known)),
  };
}

/** Whether all that fits the narrower question fits the wider too. */
function covers(wider: TicketFilter, narrower: TicketFilter): boolean {
  const statusesOf = ({ status = statuses.filter((name) => name !== "ARCHIVED") }: TicketFilter) => status;
  const known = statusesOf(wider);
  const isOpenIn = (name: "assignee" | "priority" | "type" | "text") =>
    (wider[name] ?? "") === "" || wider[name] === narrower[name];
  return (
    statusesOf(narrower).every((status) => known.includes(status)) &&
    isOpenIn("assignee") &&
    isOpenIn("priority") &&
    isOpenIn("type") &&
    isOpenIn("text")
  );
}

function withoutTexts(summary: TicketSummary): Ticket {
  const lists = { criteria: [], fileChanges: [], designRefs: [], assumptions: [], inScope: [], outOfScope: [] };
  return { ...summary, ...lists, questions: [], document: {} };
}

/** What another version of this program left there is none. */
function filterIn(name: string): TicketFilter {
  try {
    const asked: unknown = JSON.parse(name.slice("list ".length));
    return Array.isArray(asked) ? Object.fromEntries(asked) : { cursor: "unknown" };
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
