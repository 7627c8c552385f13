import type { Style } from "../../../../kernel/definitions/command.ts";
import { padText, plain, truncate, widthOf } from "../../../../platform/terminal/text.ts";
import { allowedMoves } from "../../model/status.ts";
import type { TicketSummary } from "../../model/ticket.ts";
import { type StatusWords, specifiedWords, statusCell } from "../status-words.ts";
import { staleLine } from "../text/stale-line.ts";
import { statusColours } from "../text/status-colours.ts";
import { bodyRows, isFiltered, type ListState, type OpenedTicket, type Prompt } from "./state.ts";

const listKeys = "q quit  Enter show  / filter  n new  m move  A assign  e edit  x run  ? help";
const ticketKeys = "Esc back  m move  A assign  e edit  x run  ? help";
const helpLines = [
  "  Up, Down, j, k    Move; PageUp, PageDown, Home and End too",
  "  Enter             Show the ticket",
  "  /                 Filter by text",
  "  s                 Next status",
  "  a                 Only mine, or everyone's",
  "  Esc               Clear all filters; close a ticket",
  "  n                 Create a ticket",
  "  m                 Move the ticket to another status",
  "  A                 Assign the ticket",
  "  e                 Edit the ticket in your editor",
  "  x                 Run the ticket with an assistant",
  "  Ctrl+L            Redraw",
  "  q                 Quit",
];
const promptLabels: Record<Prompt["kind"], string> = { create: "Title", move: "Move", assign: "Assign" };

/** What is on the screen: as many lines as it has rows, each narrower than it is wide. */
export function frame(state: ListState, style: Style, words = specifiedWords): string[] {
  const width = state.size.columns - 1;
  const [head, body, foot] = state.isHelp
    ? ["Keys", helpLines.map((line) => truncate(line, width)), "Press any key to go back"]
    : state.opened
      ? [headOfTicket(state.opened), bodyOfTicket(state, state.opened), footOfTicket(state, state.opened, words)]
      : [headOfList(state, words), bodyOfList(state, style, width, words), footOfList(state, words)];
  const rows = bodyRows(state);
  const filled = [...body.slice(0, rows), ...new Array<string>(Math.max(0, rows - body.length)).fill("")];
  const lines = [style.bold(truncate(head, width)), ...filled, style.dim(truncate(foot, width))];
  return lines.slice(0, Math.max(1, state.size.rows));
}

function headOfList(state: ListState, words: StatusWords): string {
  const { tickets, nextCursor, mine, given, text, isTyping } = state;
  const status = state.rounds[state.round];
  return [
    `Tickets ${tickets.length}${nextCursor === undefined ? "" : "+"}`,
    status ? status.map(words.show).join(" ") : "",
    mine ? "mine" : (given.assignee ?? ""),
    [given.priority, given.type].filter(Boolean).join(" "),
    text !== "" && !isTyping ? `/${text}` : "",
  ]
    .filter((part) => part !== "")
    .map(plain)
    .join("  ");
}

function footOfList(
  { isTyping, prompt, text, notice, stale, incomplete, tickets }: ListState,
  words: StatusWords,
): string {
  if (prompt) return footOfPrompt(prompt, tickets, words);
  if (isTyping) return `/${plain(text)}_  Enter to keep, Esc to clear`;
  if (notice !== undefined) return plain(notice);
  return staleLine({ stale, incomplete }, "list") ?? listKeys;
}

function footOfPrompt(prompt: Prompt, tickets: readonly TicketSummary[], words: StatusWords): string {
  const label = promptLabels[prompt.kind];
  const typed = `${plain(prompt.text)}_`;
  if (prompt.kind === "create") return `${label}: ${typed}  Enter to create, Esc to cancel`;
  const hint = prompt.kind === "move" ? movesOf(prompt.id, tickets, words) : "a name or me; empty: unassign";
  return `${label} ${plain(prompt.id)} to: ${typed}  ${hint}, Esc to cancel`;
}

/** Where it can move; an archived ticket's list does not say where it was before. */
function movesOf(id: string, tickets: readonly TicketSummary[], words: StatusWords): string {
  const status = tickets.find((ticket) => ticket.id === id)?.status;
  if (status === undefined || status === "ARCHIVED") return "a status such as ready or done";
  return allowedMoves(status, undefined).map(words.show).join(", ").toLowerCase();
}

function bodyOfList(state: ListState, style: Style, width: number, words: StatusWords): string[] {
  const { tickets, top, selected } = state;
  if (tickets.length === 0) return messageLines(state.isLoaded ? emptyText(state) : "", width);
  const shown = tickets.slice(top, top + bodyRows(state));
  const statusOf = (ticket: TicketSummary) => statusCell(ticket, words);
  const widths = widthsFor(shown, width, statusOf);
  return shown.map((ticket, index) => rowOf(ticket, statusOf(ticket), widths, style, top + index === selected));
}

function emptyText(state: ListState): string {
  return isFiltered(state)
    ? "No matching tickets. Press Esc to clear the filters."
    : "No tickets yet. Press n to create one.";
}

function messageLines(text: string, width: number): string[] {
  return ["", truncate(`  ${text}`, width)];
}

type Widths = { id: number; status: number; assignee: number; title: number };

const gap = 2;
const marker = 2;

/** The title gets at least half of the line. */
function widthsFor(
  tickets: readonly TicketSummary[],
  available: number,
  statusOf: (ticket: TicketSummary) => string,
): Widths {
  const maxWidth = (cell: (ticket: TicketSummary) => string) =>
    tickets.reduce((width, ticket) => Math.max(width, widthOf(plain(cell(ticket)))), 0);
  const half = Math.floor((available - marker) / 2);
  const id = Math.min(maxWidth(idCell), Math.max(6, Math.floor(half / 2)));
  const status = Math.min(maxWidth(statusOf), Math.max(4, half - id - 2 * gap));
  const left = half - id - status - 3 * gap;
  const assignee = left < 6 ? 0 : Math.min(maxWidth(assigneeCell), left, 16);
  const columns = [id, status, assignee].filter((width) => width > 0);
  const title = Math.max(1, available - marker - columns.reduce((sum, width) => sum + width + gap, 0));
  return { id, status, assignee, title };
}

/** A claimed ticket is marked. */
function idCell({ id, claim }: TicketSummary): string {
  return claim ? `${id}*` : id;
}

function assigneeCell({ assignee }: TicketSummary): string {
  return assignee ?? "";
}

function rowOf(ticket: TicketSummary, status: string, widths: Widths, style: Style, isSelected: boolean): string {
  const cell = (text: string, width: number) => (width === 0 ? "" : padText(truncate(plain(text), width), width + gap));
  const title = truncate(plain(ticket.title), widths.title);
  return [
    isSelected ? style.cyan("> ") : "  ",
    cell(idCell(ticket), widths.id),
    style[statusColours[ticket.status]](cell(status, widths.status)),
    cell(assigneeCell(ticket), widths.assignee),
    isSelected ? style.bold(title) : title,
  ].join("");
}

function headOfTicket({ id }: OpenedTicket): string {
  return plain(id);
}

function bodyOfTicket(state: ListState, { lines, top }: OpenedTicket): string[] {
  return lines.slice(top, top + bodyRows(state));
}

function footOfTicket(state: ListState, { lines, top }: OpenedTicket, words: StatusWords): string {
  if (state.prompt) return footOfPrompt(state.prompt, state.tickets, words);
  if (state.notice !== undefined) return plain(state.notice);
  const last = Math.min(lines.length, top + bodyRows(state));
  return `${last}/${lines.length}  ${ticketKeys}`;
}
