import { commandFor } from "../../../commons/cli/command-for.ts";
import { texts } from "../../../commons/cli/json-fields.ts";
import { printList } from "../../../commons/cli/print/list.ts";
import type { Column } from "../../../commons/cli/print/table.ts";
import { type Status, statuses } from "../model/status.ts";
import type { TicketSummary } from "../model/ticket.ts";
import type { listTickets } from "../tools/list-tickets.ts";
import { readStatusWords, type StatusWords, statusCell } from "./status-words.ts";
import { staleLine } from "./text/stale-line.ts";
import { statusColours } from "./text/status-colours.ts";
import { ticketSettings } from "./ticket-argument.ts";

const tableColumns = (words: StatusWords): Column<TicketSummary>[] => [
  { title: "ID", cell: ({ id }) => id },
  {
    title: "STATUS",
    cell: (ticket) => statusCell(ticket, words),
    paint: ({ status }) => statusColours[status],
  },
  { title: "PRIORITY", cell: ({ priority }) => priority ?? "" },
  { title: "ASSIGNEE", cell: ({ assignee }) => assignee ?? "", shrinks: true },
  { title: "TITLE", cell: ({ title, labels = [] }) => [title, ...labels.map((label) => `[${label}]`)].join(" ") },
];

const lineColumns: Column<TicketSummary>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "STATUS", cell: ({ status }) => status },
  { title: "TITLE", cell: ({ title }) => title },
  { title: "ASSIGNEE", cell: ({ assignee }) => assignee ?? "" },
];

const claimedBy: Column<TicketSummary> = {
  title: "CLAIMED BY",
  cell: ({ claim }) => claim?.holder ?? "",
  paint: () => "yellow",
  shrinks: true,
};

export const list = commandFor<typeof listTickets>({
  tool: "list_tickets",
  name: "list",
  aliases: ["ticket list", "ls", "search"],
  summary: "List and filter tickets",
  details:
    "Newest first. On a terminal this opens a live list that you can move and filter in; --plain prints a table instead. On a " +
    "pipe it prints one line per ticket: id, status, title and assignee, separated by tabs. Archived tickets are left out by default.",
  examples: [
    ["forge list", "The tickets of this project."],
    ["forge list login --status ready,created --assignee me", "Your tickets about login in these statuses."],
    ["forge list --all --json", "All tickets, archived ones too, for a script."],
  ],
  settings: ticketSettings,
  group: "tickets",
  common: true,
  arguments: [{ field: "text", required: false, help: "Only tickets containing these words." }],
  options: {
    // Any name of a status is understood, so the parser does not restrict it.
    status: { value: "LIST", commas: true, choices: [], help: "Only these statuses." },
    assignee: { value: "NAME", help: "Only tickets assigned to this person; `me` is you, `none` is unassigned." },
    label: { value: "LABEL", help: "Only tickets with this label." },
    priority: { help: "Only this priority." },
    type: { help: "Only this type." },
    limit: { short: "n", help: "How many tickets at most." },
    cursor: { help: "Continue after a page; its output says how." },
    filter: false,
  },
  own: {
    all: { type: "boolean", help: "Include archived tickets." },
    plain: { type: "boolean", help: "Print a table, also on a pipe." },
    tsv: { type: "boolean", help: "Print lines separated by tabs, also on a terminal." },
  },
  toInput: (given, { app, options }) => ({
    ...given,
    ...parseStatuses(texts(given["status"]), options["all"] === true, readStatusWords(app)),
  }),
  async instead(input, out, { app, options }) {
    const { live } = app.terminal;
    if (!live || out.json || options["plain"] || options["tsv"]) return undefined;
    const { openLiveList } = await import("./live-list/open-live-list.ts");
    return openLiveList(app, input, out, live);
  },
  async complete(_app, { option, typed }) {
    if (option === "assignee")
      return [
        { value: "me", help: "You" },
        { value: "none", help: "Unassigned" },
      ];
    if (option !== "status") return [];
    const before = typed.slice(0, typed.lastIndexOf(",") + 1);
    return statuses.map((status) => ({ value: before + status }));
  },
  print({ tickets, nextCursor, ...page }, out, { app, again, options, positionals }) {
    const columns = tableColumns(readStatusWords(app));
    const old = staleLine(page, "list");
    if (old !== undefined) out.note(old);
    const as = options["tsv"] ? "lines" : options["plain"] ? "table" : undefined;
    const isTable = as === "table" || (as === undefined && out.width !== undefined);
    const isAnyClaimed = tickets.some(({ claim }) => claim !== undefined);
    const shown = isAnyClaimed ? columns.toSpliced(-1, 0, claimedBy) : columns;
    printList(
      {
        columns: isTable ? shown : lineColumns,
        rows: tickets,
        none: noneText(positionals, options),
        more:
          nextCursor === undefined
            ? undefined
            : again({ cursor: nextCursor, ...(options["all"] === true && { status: options["status"] }) }),
        as,
      },
      out,
    );
  },
});

/** Any names of statuses; `all` adds archived tickets. */
function parseStatuses(names: string[], all: boolean, words: StatusWords): { status?: Status[] } {
  const named = names.map(words.parse);
  if (!all) return named.length === 0 ? {} : { status: [...new Set(named)] };
  return { status: named.length === 0 ? [...statuses] : [...new Set([...named, "ARCHIVED" as const])] };
}

function noneText(words: readonly string[], options: Record<string, unknown>): string {
  const { cursor, status, assignee, label, priority, type } = options;
  if (cursor !== undefined) return "No more tickets.";
  const isFiltered = words.length > 0 || [status, assignee, label, priority, type].some((given) => given !== undefined);
  if (isFiltered) return "No matching tickets. Run `forge list` to see all tickets.";
  return "No tickets yet. Create one with `forge create TITLE`, or import some with `forge import FILE`.";
}
