import type { App } from "../../../../commons/cli/app.ts";
import { shellWord } from "../../../../commons/cli/shell-word.ts";
import { type Column, table } from "../../../../commons/cli/table.ts";
import type { Output } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { priorities, ticketTypes } from "../../model/limits.ts";
import { requireStatus, type Status, statuses } from "../../model/status.ts";
import type { TicketFilter, TicketPage, TicketSummary } from "../../model/ticket.ts";
import { choiceOf } from "../choice.ts";
import { deskForResult } from "../desk-for-result.ts";
import { staleLine } from "../text/stale-line.ts";
import { statusColours } from "../text/status-colours.ts";

type Wanted = {
  text: string | undefined;
  status: string[] | undefined;
  assignee: string | undefined;
  priority: string | undefined;
  type: string | undefined;
  all: boolean | undefined;
  limit: number;
  cursor: string | undefined;
  plain: boolean | undefined;
  tsv: boolean | undefined;
};

const columns: Column<TicketSummary>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "STATUS", cell: ({ status }) => status, paint: ({ status }) => statusColours[status] },
  { title: "PRIORITY", cell: ({ priority }) => priority ?? "" },
  { title: "ASSIGNEE", cell: ({ assignee }) => assignee ?? "", shrinks: true },
  { title: "TITLE", cell: ({ title }) => title },
];

const claimedBy: Column<TicketSummary> = {
  title: "CLAIMED BY",
  cell: ({ claim }) => claim?.holder ?? "",
  paint: () => "yellow",
  shrinks: true,
};

export async function runList(app: App, wanted: Wanted, out: Output): Promise<number> {
  const page = await (await deskForResult(app)).list(listFilter(wanted));
  if (out.json) {
    out.data(page, () => "");
    return 0;
  }
  const old = staleLine(page, "list");
  if (old !== undefined) out.note(old);
  const asLines = wanted.tsv ?? (out.width === undefined && !wanted.plain);
  if (page.tickets.length === 0) out.note(noneText(wanted));
  else out.print(asLines ? page.tickets.map(asLine).join("\n") : asTable(page, out));
  if (page.nextCursor !== undefined) out.note(`More: ${commandFor(wanted, page.nextCursor)}`);
  return 0;
}

export function listFilter(wanted: Wanted): TicketFilter {
  const { text, assignee, cursor, limit } = wanted;
  const status = statusesIn(wanted);
  const priority = choiceOf(priorities, wanted.priority);
  const type = choiceOf(ticketTypes, wanted.type);
  return {
    limit,
    ...(text !== undefined && { text }),
    ...(status && { status }),
    ...(assignee !== undefined && { assignee }),
    ...(priority && { priority }),
    ...(type && { type }),
    ...(cursor !== undefined && { cursor }),
  };
}

function statusesIn({ status, all }: Wanted): Status[] | undefined {
  const named = status?.flatMap((names) => names.split(",")).map(requireStatus);
  if (!all) return named && [...new Set(named)];
  return named ? [...new Set([...named, "ARCHIVED" as const])] : [...statuses];
}

function asLine({ id, status, title, assignee = "" }: TicketSummary): string {
  return [id, status, title, assignee].map(plain).join("\t");
}

function asTable({ tickets }: TicketPage, out: Output): string {
  const isAnyClaimed = tickets.some(({ claim }) => claim !== undefined);
  return table(isAnyClaimed ? columns.toSpliced(-1, 0, claimedBy) : columns, tickets, out);
}

function noneText({ text, status, assignee, priority, type, cursor }: Wanted): string {
  const isFiltered = [text, status, assignee, priority, type].some((part) => part !== undefined);
  if (cursor !== undefined) return "No more tickets.";
  if (isFiltered) return "No ticket is like that. `forge list` without a filter shows those there are.";
  return "No tickets yet. `forge create TITLE` writes one, `forge import FILE` takes some in.";
}

/** What to type for the page that follows. */
function commandFor(
  { text, status = [], assignee, priority, type, all, limit, plain: asTable, tsv }: Wanted,
  cursor: string,
) {
  const given = Object.entries({ assignee, priority, type, limit: String(limit), cursor });
  const words = [
    "forge list",
    ...status.map((names) => `--status=${shellWord(names)}`),
    ...given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${shellWord(value)}`])),
    ...Object.entries({ all, plain: asTable, tsv }).flatMap(([name, isOn]) => (isOn ? [`--${name}`] : [])),
    ...(text === undefined ? [] : ["--", shellWord(text)]),
  ];
  return words.join(" ");
}
