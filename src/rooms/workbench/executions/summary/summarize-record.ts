import type * as z from "zod";
import type { Action } from "../../../../kernel/action.ts";
import type { recordSchema } from "../schemas.ts";
import { byteLength } from "./byte-length.ts";
import { foldFrames } from "./fold-frames.ts";
import { shortenMiddle } from "./shorten-middle.ts";

type Record = z.output<typeof recordSchema>;

/** Of the result as JSON. */
const maxBytes = 8_192;
/** What each part may use of it; what one leaves the next has. */
const shares = { issues: 3_000, files: 1_800, tests: 800 } as const;
const maxIssueLength = 500;
const maxEventLength = 160;
/** Told by the other parts, once and with more. */
const toldElsewhere = new Set(["file", "tests", "issue"]);

/** What an assistant needs to know of an execution: each failure once, and the latest of everything else. */
export function summarizeRecord(record: Record): Record {
  const { timeline, files, tests, issues, ...execution } = record;
  const next: Action[] = [
    { tool: "forge_get_execution", input: { execution_id: record.execution_id, full: true }, why: "to read all of it" },
  ];
  const distinct = listDistinctIssues(issues);
  const empty = { ...execution, timeline: [], files: [], tests: [], issues: [], omitted: emptyCounts, next };
  const budget = { left: maxBytes - byteLength(empty) };
  const shownIssues = takeLast(distinct.map(shortenIssue), shares.issues, budget);
  const shownFiles = takeLast(files.toReversed(), shares.files, budget).toReversed();
  const shownTests = takeLast(tests, shares.tests, budget);
  const shownEvents = takeLast(timeline.map(shortenEvent), budget.left, budget);
  const shown = { timeline: shownEvents, files: shownFiles, tests: shownTests, issues: shownIssues };
  const omitted = {
    timeline: timeline.length - shownEvents.length,
    files: files.length - shownFiles.length,
    tests: tests.length - shownTests.length,
    issues: distinct.length - shownIssues.length,
  };
  const isAll = JSON.stringify(shown) === JSON.stringify({ timeline, files, tests, issues });
  return isAll ? record : { ...execution, ...shown, ...describeOmitted(omitted), next };
}

const emptyCounts = { timeline: 9_999, files: 9_999, tests: 9_999, issues: 9_999 };

function describeOmitted(counts: { [Part in keyof typeof emptyCounts]: number }): Pick<Record, "omitted"> {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.length > 0 ? { omitted: Object.fromEntries(some) } : {};
}

/** A test that fails in every run is one issue: the latest. */
function listDistinctIssues(issues: Record["issues"]): Record["issues"] {
  const byPlace = new Map<string, Record["issues"][number]>();
  for (const issue of issues) {
    const key = JSON.stringify([issue.type, issue.file, issue.line, issue.message.split("\n", 1)[0]]);
    byPlace.delete(key);
    byPlace.set(key, issue);
  }
  return [...byPlace.values()];
}

function shortenIssue(issue: Record["issues"][number]): Record["issues"][number] {
  return { ...issue, message: shortenMiddle(foldFrames(issue.message), maxIssueLength) };
}

function shortenEvent(event: Record["timeline"][number]): Record["timeline"][number] {
  const details = toldElsewhere.has(event.kind) ? {} : event.details;
  return { ...event, message: shortenMiddle(event.message, maxEventLength), details };
}

/** As many as fit from the end, in their order. */
function takeLast<Item>(items: readonly Item[], share: number, budget: { left: number }): Item[] {
  let allowed = Math.min(share, budget.left);
  const before = allowed;
  let start = items.length;
  while (start > 0) {
    const cost = byteLength(items[start - 1]) + 1;
    if (cost > allowed) break;
    allowed -= cost;
    start--;
  }
  budget.left -= before - allowed;
  return items.slice(start);
}
