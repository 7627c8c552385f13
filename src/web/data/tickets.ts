import { computed, signal } from "@preact/signals";
import { showProblem } from "../parts/toast.tsx";
import { ApiError, request } from "./api.ts";
import { onEntry, onReset } from "./events.ts";
import { facts } from "./start.ts";
import type { Column, LedgerEntry, Status, TicketSummary } from "./types.ts";

type Page = { tickets: TicketSummary[]; nextCursor?: string };

export type TicketFilter = { text: string; assignee: string; priority: string; type: string; label: string };
export const noFilter: TicketFilter = { text: "", assignee: "", priority: "", type: "", label: "" };

const firstCount = 60;
const pageSize = 200;
const maxIds = 100;
const settleMs = 100;

const known = new Map<string, TicketSummary>();
const version = signal(0);
/** Ids that the full-text search found; undefined where nothing is searched for. */
const found = signal<ReadonlySet<string> | undefined>(undefined);

/** Whether the first tickets are there, and whether all of them are. */
export const isReady = signal(false);
export const isComplete = signal(false);
export const filter = signal(noFilter);

const priorityOrder = ["urgent", "high", "medium", "low"];

/** Tickets that are not archived and fit the filter, most urgent and then newest first. */
export const shown = computed(() => {
  version.value;
  const { assignee, priority, type, label } = filter.value;
  const among = found.value;
  const fits = (ticket: TicketSummary) =>
    ticket.status !== "ARCHIVED" &&
    (!among || among.has(ticket.id)) &&
    (assignee === "" || (assignee === "-" ? ticket.assignedTo === undefined : ticket.assignedTo === assignee)) &&
    (priority === "" || ticket.priority === priority) &&
    (type === "" || ticket.type === type) &&
    (label === "" || ticket.labels?.includes(label) === true);
  return [...known.values()].filter(fits).sort(byUrgency);
});

export const byColumn = computed(() => {
  const lists = new Map<string, TicketSummary[]>();
  const columnOf = new Map<Status, string>();
  for (const { id, statuses } of facts.value?.columns ?? []) {
    lists.set(id, []);
    for (const status of statuses) columnOf.set(status, id);
  }
  for (const ticket of shown.value) lists.get(columnOf.get(ticket.status) ?? "")?.push(ticket);
  return lists;
});

/** Everyone that a ticket is assigned to. */
export const assignees = computed(() => {
  version.value;
  const names = [...known.values()].map(({ assignedTo }) => assignedTo).filter((name) => name !== undefined);
  return [...new Set(names)].sort();
});

export const labels = computed(() => {
  version.value;
  return [...new Set([...known.values()].flatMap((ticket) => ticket.labels ?? []))].sort();
});

/** Tickets that have to be done before this one, as far as they are known. */
export function openNeedsOf({ status, dependsOn = [] }: TicketSummary): string[] {
  if (status === "COMPLETE" || dependsOn.length === 0) return [];
  version.value;
  return dependsOn.filter((id) => !["COMPLETE", "ARCHIVED"].includes(known.get(id)?.status ?? "COMPLETE"));
}

export const isFiltered = computed(() => Object.values(filter.value).some((value) => value !== ""));

export function ticketNamed(id: string): TicketSummary | undefined {
  version.value;
  return known.get(id);
}

export function allTickets(): TicketSummary[] {
  version.value;
  return [...known.values()];
}

function columnOf(status: Status): Column | undefined {
  return facts.value?.columns.find(({ statuses }) => statuses.includes(status));
}

/** Why a ticket cannot be dropped on a column; undefined where it can. */
export function reasonAgainst(ticket: TicketSummary, { title, statuses, drop }: Column): string | undefined {
  if (statuses.includes(ticket.status)) return undefined;
  if (drop !== undefined && (facts.value?.moves[ticket.status] ?? []).includes(drop)) return undefined;
  const from = columnOf(ticket.status)?.title ?? ticket.status;
  return drop === undefined ? `Nothing can be moved to ${title}` : `Cannot go from ${from} to ${title}`;
}

function byUrgency(a: TicketSummary, b: TicketSummary): number {
  const rank = ({ priority }: TicketSummary) => {
    const place = priorityOrder.indexOf(priority ?? "medium");
    return place < 0 ? priorityOrder.length : place;
  };
  return rank(a) - rank(b) || (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : a.id < b.id ? 1 : -1);
}

function put(tickets: readonly TicketSummary[]): void {
  let changed = false;
  for (const ticket of tickets) {
    const before = known.get(ticket.id);
    // An answer that was on its way while a newer one arrived. A claim changes without a new revision.
    if (before && before.revision > ticket.revision) continue;
    known.set(ticket.id, ticket);
    changed = true;
  }
  if (changed) version.value++;
}

/** The first cards of every column, then everything else in the background. */
export async function loadTickets(): Promise<void> {
  const columns = facts.value?.columns ?? [];
  const first = await Promise.all(
    columns.map(({ statuses }) =>
      request<Page>("GET", `/api/tickets?limit=${firstCount}&status=${statuses.join(",")}`),
    ),
  );
  put(first.flatMap(({ tickets }) => tickets));
  isReady.value = true;
  if (first.some(({ nextCursor }) => nextCursor !== undefined)) await loadRest();
  isComplete.value = true;
}

async function loadRest(): Promise<void> {
  let cursor: string | undefined;
  do {
    const after: string = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page = await request<Page>("GET", `/api/tickets?limit=${pageSize}${after}`);
    put(page.tickets);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** New tickets have the highest numbers, so they are on the first pages. */
async function loadNewest(): Promise<void> {
  let cursor: string | undefined;
  let hasNew = true;
  while (hasNew) {
    const after: string = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page = await request<Page>("GET", `/api/tickets?limit=${pageSize}${after}`);
    hasNew = page.nextCursor !== undefined && page.tickets.some(({ id }) => !known.has(id));
    put(page.tickets);
    cursor = page.nextCursor;
  }
}

const changed = new Set<string>();
let hasNew = false;
let isSettling = false;

/** Reads tickets again that others changed: many changes in a moment are one request. */
function noteEntry({ effect, outcome, about, name }: LedgerEntry): void {
  if (effect === "read" || outcome === "open") return;
  const ids = about.filter((item) => item.startsWith("ticket:")).map((item) => item.slice("ticket:".length));
  for (const id of ids) changed.add(id);
  if (ids.length === 0 && /ticket|import/.test(name)) hasNew = true;
  if (changed.size === 0 && !hasNew) return;
  // The first change is read at once; what follows within a moment, together.
  if (isSettling) return;
  isSettling = true;
  readChanged().catch(() => undefined);
  setTimeout(() => {
    isSettling = false;
    if (changed.size > 0 || hasNew) readChanged().catch(() => undefined);
  }, settleMs);
}

async function readChanged(): Promise<void> {
  const ids = [...changed];
  const isNew = hasNew;
  changed.clear();
  hasNew = false;
  try {
    for (let start = 0; start < ids.length; start += maxIds) await refresh(ids.slice(start, start + maxIds));
    if (isNew) await loadNewest();
  } catch (error) {
    // Tried again with the next event.
    for (const id of ids) changed.add(id);
    hasNew ||= isNew;
    throw error;
  }
}

async function refresh(ids: readonly string[]): Promise<void> {
  const { tickets } = await request<Page>("GET", `/api/tickets/summaries?ids=${ids.map(encodeURIComponent).join(",")}`);
  const present = new Set(tickets.map(({ id }) => id));
  for (const id of ids) if (!present.has(id)) known.delete(id);
  put(tickets);
  if (tickets.length < ids.length) version.value++;
}

export function followTickets(): void {
  onEntry(noteEntry);
  onReset(() => void loadRest().catch(() => undefined));
}

/** Shows the move at once; if the server refuses it, the ticket goes back. */
export async function moveTicket(ticket: TicketSummary, status: Status): Promise<boolean> {
  if (ticket.status === status) return true;
  const before = known.get(ticket.id) ?? ticket;
  known.set(ticket.id, { ...before, status });
  version.value++;
  try {
    put([summaryOf(await request<TicketSummary>("PATCH", `/api/tickets/${ticket.id}`, { status }, before.revision))]);
    return true;
  } catch (error) {
    known.set(ticket.id, before);
    version.value++;
    if (error instanceof ApiError && error.isConflict) {
      await refresh([ticket.id]).catch(() => undefined);
      showProblem(`${ticket.id} was changed by someone else, so it was not moved. It is up to date now.`);
    } else showProblem(error);
    return false;
  }
}

export async function createTicket(draft: Record<string, unknown>): Promise<TicketSummary> {
  const ticket = summaryOf(await request<TicketSummary>("POST", "/api/tickets", draft));
  put([ticket]);
  return ticket;
}

/** Of a ticket in full: its text stays on the ticket's page. */
function summaryOf(ticket: TicketSummary): TicketSummary {
  const { id, title, status, type, priority, assignedTo, createdAt, updatedAt, revision, claim, unproven } = ticket;
  const { labels: named = [], dependsOn = [] } = ticket;
  return {
    ...{ id, title, status, createdAt, updatedAt, revision },
    ...(type !== undefined && { type }),
    ...(priority !== undefined && { priority }),
    ...(assignedTo !== undefined && { assignedTo }),
    ...(claim && { claim }),
    ...(named.length > 0 && { labels: named }),
    ...(dependsOn.length > 0 && { dependsOn }),
    ...(unproven && { unproven }),
  };
}

export function keep(ticket: TicketSummary): void {
  put([summaryOf(ticket)]);
}

let searching = 0;

/** Titles and ids at once, the full text as soon as the server has found it. */
export async function search(text: string): Promise<void> {
  filter.value = { ...filter.value, text };
  const words = text.trim();
  const own = ++searching;
  if (words === "") {
    found.value = undefined;
    return;
  }
  const lower = words.toLowerCase();
  const near = [...known.values()].filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(lower));
  found.value = new Set(near.map(({ id }) => id));
  try {
    const page = await request<Page>("GET", `/api/tickets?limit=${pageSize}&text=${encodeURIComponent(words)}`);
    if (own !== searching) return;
    put(page.tickets);
    found.value = new Set([...found.value, ...page.tickets.map(({ id }) => id)]);
  } catch (error) {
    if (own === searching) showProblem(error);
  }
}
