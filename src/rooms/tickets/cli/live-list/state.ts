import type { Size } from "../../../../platform/terminal/live-terminal.ts";
import { type Status, statuses } from "../../model/status.ts";
import type { TicketPage, TicketSummary } from "../../model/ticket.ts";
import type { TicketFilter } from "../../model/ticket-fields.ts";
import { fold } from "./fold.ts";

/** Everything the live list knows. Keys, loaded pages and the size of the screen turn it into a new one. */
export type ListState = {
  size: Size;
  /** The filter of the command line, without what can be changed here. */
  given: TicketFilter;
  text: string;
  /** Whether keys are part of the filter's text. */
  isTyping: boolean;
  /** The statuses that `s` cycles through, and the current one. */
  rounds: readonly (readonly Status[] | undefined)[];
  round: number;
  mine: boolean;
  tickets: readonly TicketSummary[];
  nextCursor: string | undefined;
  /** When the list was read, if the server cannot be reached now. */
  stale: string | undefined;
  /** It was put together from earlier answers: tickets may be missing. */
  incomplete: boolean;
  /** False until the first page is loaded. */
  isLoaded: boolean;
  selected: number;
  /** The ticket to select when it is loaded. */
  follow: string | undefined;
  /** The first ticket on the screen. */
  top: number;
  opened: OpenedTicket | undefined;
  /** A line that is being typed for a change. */
  prompt: Prompt | undefined;
  /** The keys are shown in place of the list. */
  isHelp: boolean;
  /** A message, until the next key. */
  notice: string | undefined;
};

/** A ticket in full, in lines that fit the screen. */
export type OpenedTicket = { id: string; text: string; lines: readonly string[]; top: number };

/** A new ticket's title, or where a ticket moves, or whom it is assigned to. */
export type Prompt = { text: string } & ({ kind: "create" } | { kind: "move" | "assign"; id: string });

const maxPageSize = 200;

export function initialState(filter: TicketFilter, size: Size): ListState {
  const { text = "", status, assignee, cursor: _, limit: __, ...given } = filter;
  const others = statuses.map((one) => [one]).filter(([one]) => !(status?.length === 1 && status[0] === one));
  return {
    size,
    given: { ...given, ...(assignee !== undefined && assignee !== "me" && { assignee }) },
    text,
    isTyping: false,
    rounds: status ? [status, undefined, ...others] : [undefined, ...others],
    round: 0,
    mine: assignee === "me",
    tickets: [],
    nextCursor: undefined,
    stale: undefined,
    incomplete: false,
    isLoaded: false,
    selected: 0,
    follow: undefined,
    top: 0,
    opened: undefined,
    prompt: undefined,
    isHelp: false,
    notice: undefined,
  };
}

/** Rows between the first line and the last. */
export function bodyRows({ size }: ListState): number {
  return Math.max(1, size.rows - 2);
}

export function selectedTicket({ tickets, selected }: ListState): TicketSummary | undefined {
  return tickets[selected];
}

export function filterOf({ given, text, rounds, round, mine }: ListState): TicketFilter {
  const status = rounds[round];
  return {
    ...given,
    ...(text.trim() !== "" && { text: text.trim() }),
    ...(status && { status: [...status] }),
    ...(mine && { assignee: "me" }),
  };
}

/** Whether anything narrows the list, from the command line or from keys. */
export function isFiltered({ text, mine, given, rounds, round }: ListState): boolean {
  return text !== "" || mine || rounds[round] !== undefined || Object.keys(given).length > 0;
}

export function clearFilters(state: ListState): ListState {
  return { ...state, text: "", mine: false, given: {}, round: state.rounds.indexOf(undefined) };
}

/** Enough tickets to include the selected one, so that a refresh does not lose it. */
export function wantedCount(state: ListState): number {
  return state.selected + 2 * bodyRows(state);
}

export function pageLimit(count: number): number {
  return Math.min(maxPageSize, Math.max(1, count));
}

/** Whether the next page is needed for what is on the screen or about to be. */
export function needsMore(state: ListState): boolean {
  return state.nextCursor !== undefined && state.selected + bodyRows(state) >= state.tickets.length;
}

/** All tickets loaded again. The one to follow or the selected one is selected if it is there; otherwise `otherwise` is. */
export function replacePage(
  state: ListState,
  { tickets, nextCursor, stale, incomplete }: TicketPage,
  otherwise: number = state.selected,
): ListState {
  const positionOf = (id: string | undefined) => tickets.findIndex((ticket) => ticket.id === id);
  const followed = positionOf(state.follow);
  const found = followed >= 0 ? followed : positionOf(selectedTicket(state)?.id);
  return select(
    { ...state, follow: undefined, tickets, nextCursor, stale, incomplete: incomplete ?? false, isLoaded: true },
    found >= 0 ? found : otherwise,
  );
}

export function addPage(state: ListState, page: TicketPage): ListState {
  const { tickets, nextCursor, stale = state.stale, incomplete = state.incomplete } = page;
  const known = new Set(state.tickets.map(({ id }) => id));
  const added = tickets.filter(({ id }) => !known.has(id));
  // A page without new tickets is the last: continuing would never end.
  const next = added.length > 0 ? nextCursor : undefined;
  return { ...state, tickets: [...state.tickets, ...added], nextCursor: next, stale, incomplete };
}

/** Selects the ticket at this position, or the nearest, and scrolls to it. */
export function select(state: ListState, index: number): ListState {
  const selected = Math.max(0, Math.min(index, state.tickets.length - 1));
  const rows = bodyRows(state);
  const highest = Math.max(0, state.tickets.length - rows);
  const top = Math.min(highest, Math.max(selected - rows + 1, Math.min(state.top, selected)));
  return { ...state, selected, top };
}

export function resize(state: ListState, size: Size): ListState {
  const { opened } = state;
  const sized = select({ ...state, size }, state.selected);
  return opened ? openTicket(sized, opened.id, opened.text) : sized;
}

/** Shows a ticket; one that is already shown keeps its scroll position. */
export function openTicket(state: ListState, id: string, text: string): ListState {
  const lines = fold(text, state.size.columns - 1);
  const top = state.opened?.id === id ? state.opened.top : 0;
  return scroll({ ...state, opened: { id, text, lines, top } }, 0);
}

export function scroll(state: ListState, distance: number): ListState {
  const { opened } = state;
  if (!opened) return state;
  const lowest = Math.max(0, opened.lines.length - bodyRows(state));
  return { ...state, opened: { ...opened, top: Math.max(0, Math.min(lowest, opened.top + distance)) } };
}
