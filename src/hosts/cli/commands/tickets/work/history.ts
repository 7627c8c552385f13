import type { Output } from "../../../../../kernel/command.ts";
import type { HistoryEntry } from "../../../../../rooms/tickets/model.ts";
import { localTime } from "../../../local-time.ts";
import { type Column, table } from "../../../table.ts";

const longestDetails = 200;

const columns: Column<HistoryEntry>[] = [
  { title: "WHEN", cell: ({ at }) => localTime(at) },
  { title: "WHO", cell: ({ by, agent }) => (agent === undefined ? by : `${by} (${agent})`), shrinks: true },
  { title: "WHAT", cell: ({ kind }) => kind },
  { title: "DETAILS", cell: detailsOf },
];

export function historyLines(entries: HistoryEntry[], out: Output): string[] {
  const rows = entries.length === 0 ? ["nothing"] : table(columns, entries, out, { header: false }).split("\n");
  return [out.style.bold("History:"), ...rows.map((row) => `  ${row}`)];
}

/** Where it went, then what else is known; the call it belongs to is for programs. */
function detailsOf({ details }: HistoryEntry): string {
  const { from, to, call: _call, ...rest } = details;
  const way = to === undefined && from === undefined ? [] : [`${from ?? "nothing"} → ${to ?? "nothing"}`];
  return [...way, short(rest)].join("  ").trimEnd();
}

function short(details: Record<string, unknown>): string {
  if (Object.keys(details).length === 0) return "";
  const text = JSON.stringify(details);
  return text.length > longestDetails ? `${text.slice(0, longestDetails)}…` : text;
}
