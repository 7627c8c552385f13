import { fields, text, texts } from "../../../../commons/cli/json-fields.ts";
import { localTime } from "../../../../commons/cli/local-time.ts";
import { type Column, table } from "../../../../commons/cli/table.ts";
import type { Output } from "../../../../kernel/command.ts";
import type { HistoryEntry } from "../../model/ticket.ts";

const longestDetails = 200;
const shownCommit = 7;

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

/** A server may know of more kinds than we do. */
function detailsOf({ kind, details }: HistoryEntry): string {
  const said = Object.hasOwn(words, kind) ? words[kind](fields(details)) : JSON.stringify(details);
  return said.length > longestDetails ? `${said.slice(0, longestDetails)}…` : said;
}

/** What is known of each kind of event, as it goes on after the kind's name; an older event may lack any of it. */
const words: Record<HistoryEntry["kind"], (details: HistoryEntry["details"]) => string> = {
  created: ({ status }) => after("as", status),
  imported: ({ source, replaced }) =>
    joined(after("from", source), replaced === undefined ? "" : "in place of what was there"),
  status: ({ from, to }) => way(from, to),
  updated: ({ former }) => Object.keys(fields(former)).join(", "),
  assigned: ({ from, to }) => joined(`to ${text(to) || "nobody"}`, after("before:", from)),
  started: ({ branch, commit, assignee }) =>
    joined(
      `${after("on", branch)} ${after("at", text(commit).slice(0, shownCommit))}`.trim(),
      after("assigned to", assignee),
    ),
  claimed: ({ holder, until }) => `${after("by", holder)} ${after("until", localTime(text(until)))}`.trim(),
  released: ({ holder }) => after("from", holder),
  questions: ({ questions }) => texts(questions).join(", "),
  answers: ({ questions }) => texts(questions).join(", "),
  completed: ({ from }) => way(from, "COMPLETE"),
};

function way(from: unknown, to: unknown): string {
  return text(from) === "" ? after("to", to) : `${text(from)} → ${text(to)}`;
}

function after(word: string, value: unknown): string {
  return text(value) === "" ? "" : `${word} ${text(value)}`;
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}
