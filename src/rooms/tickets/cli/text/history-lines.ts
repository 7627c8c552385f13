import { fields, text, texts } from "../../../../commons/cli/json-fields.ts";
import { localTime } from "../../../../commons/cli/print/local-time.ts";
import { type Column, table } from "../../../../commons/cli/print/table.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";
import { parseStatus } from "../../model/status.ts";
import type { HistoryView } from "../../model/ticket/ticket-view.ts";
import type { HistoryEntry } from "../../model/ticket.ts";
import { type StatusWords, specifiedWords } from "../status-words.ts";

const maxDetails = 200;
const commitLength = 7;

type ShowStatus = (status: unknown) => string;

const columnsFor = (show: ShowStatus): Column<HistoryView>[] => [
  { title: "WHEN", cell: ({ at }) => localTime(at) },
  { title: "WHO", cell: ({ by, agent }) => (agent === undefined ? by : `${by} (${agent})`), shrinks: true },
  { title: "WHAT", cell: ({ kind }) => kind },
  { title: "DETAILS", cell: (entry) => detailsOf(entry, show) },
];

export function historyLines(
  entries: HistoryView[],
  out: Pick<Output, "style" | "width">,
  shown: Pick<StatusWords, "show"> = specifiedWords,
): string[] {
  const show: ShowStatus = (given) => {
    const status = parseStatus(text(given));
    return status === undefined ? text(given) : shown.show(status);
  };
  const columns = columnsFor(show);
  const rows = entries.length === 0 ? ["nothing"] : table(columns, entries, out, { header: false }).split("\n");
  return [out.style.bold("History:"), ...rows.map((row) => `  ${row}`)];
}

/** A newer server may send kinds that are unknown here. */
function detailsOf({ kind, details }: HistoryView, show: ShowStatus): string {
  const known = isKnownKind(kind) ? words[kind](fields(details), show) : JSON.stringify(details);
  return known.length > maxDetails ? `${known.slice(0, maxDetails)}…` : known;
}

/** The details of each kind of event, to be read after the kind's name; an older event may lack any of them. */
const words: Record<HistoryEntry["kind"], (details: HistoryEntry["details"], show: ShowStatus) => string> = {
  created: ({ status }, show) => after("as", show(status)),
  imported: ({ source, replaced }) =>
    joinDetails(after("from", source), replaced === undefined ? "" : "replacing the former text"),
  status: ({ from, to }, show) => fromTo(show(from), show(to)),
  updated: ({ former }) => Object.keys(fields(former)).join(", "),
  assigned: ({ from, to }) => joinDetails(text(to) === "" ? "unassigned" : `to ${text(to)}`, after("before:", from)),
  started: ({ branch, commit, assignee }) =>
    joinDetails(
      `${after("on", branch)} ${after("at", text(commit).slice(0, commitLength))}`.trim(),
      after("assigned to", assignee),
    ),
  claimed: ({ holder, until }) => `${after("by", holder)} ${after("until", localTime(text(until)))}`.trim(),
  released: ({ holder }) => after("from", holder),
  questions: ({ questions }) => texts(questions).join(", "),
  answers: ({ questions }) => texts(questions).join(", "),
  dismissed: ({ questions }) => texts(questions).join(", "),
  corrected: ({ filesChanged }) => (Array.isArray(filesChanged) ? `${filesChanged.length} files changed` : ""),
  completed: ({ from }, show) => fromTo(show(from), show("COMPLETE")),
  comment: ({ comment }) => text(comment),
  work: ({ status, commit, into }) =>
    joinDetails(text(status), after("as", text(commit).slice(0, commitLength)), after("into", into)),
  check: ({ check, criterion, removed }) =>
    text(removed) === "" ? `${text(check)} ${after("for", criterion)}` : `${text(removed)} removed`,
  look: ({ check, passed, saw }) => `${text(check)} ${passed === true ? "passed" : "failed"}: ${text(saw)}`,
  verified: ({ commit, failed }) =>
    joinDetails(after("at", text(commit).slice(0, commitLength)), after("not passed:", texts(failed).join(", "))),
  waived: ({ criterion, reason }) => `${text(criterion)}: ${text(reason)}`,
};

function isKnownKind(kind: string): kind is HistoryEntry["kind"] {
  return Object.hasOwn(words, kind);
}

function fromTo(from: unknown, to: unknown): string {
  return text(from) === "" ? after("to", to) : `${text(from)} → ${text(to)}`;
}

function after(word: string, value: unknown): string {
  return text(value) === "" ? "" : `${word} ${text(value)}`;
}

function joinDetails(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}
