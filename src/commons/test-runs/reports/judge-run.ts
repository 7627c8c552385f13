import type { ParsedReport } from "../runner.ts";
import type { TestFailure, TestOrigin, TestRun } from "../test-run.ts";
import { explainFailure } from "./explain-failure.ts";
import { cleanText, keepEnd } from "./run-output.ts";

const maxFailures = 50;
const maxMessageLength = 4_000;
const maxNameLength = 500;

type Verdict = Pick<
  TestRun,
  "status" | "total" | "passed" | "failed" | "skipped" | "uncounted" | "failures" | "omittedFailures" | "notes"
>;

type EndedRun = {
  exitCode: number;
  parsed: ParsedReport | undefined;
  text: string;
  origin: TestOrigin;
  root: string;
};

/**
 * The exit code decides; the report says how many tests there were, and which failed. A run on code from somewhere else has failed
 * whatever it says.
 */
export function judgeRun({ exitCode, parsed, text, origin, root }: EndedRun): Verdict {
  const { passed = 0, failed = 0, skipped = 0, failures = [] } = parsed ?? {};
  const notes = [...(parsed?.notes ?? [])];
  if (!parsed) notes.push("The number of tests is unknown: the run left no readable report.");
  if (exitCode === 0 && parsed && passed + failed === 0) notes.push(describeEmptyRun(skipped));
  if (exitCode === 0 && failed > 0) notes.push("The runner exited with code 0, but its report contains failed tests.");
  const isElsewhere = origin.from === "elsewhere";
  const hasFailed = exitCode !== 0 || failed > 0 || isElsewhere;
  const unexplained = exitCode !== 0 && failures.length === 0;
  const told = [
    ...(isElsewhere ? [describeOrigin(origin)] : []),
    ...(unexplained ? explainExit(exitCode, text, root) : failures.flatMap((failure) => explainFailure(failure, root))),
  ];
  if (origin.from === "unknown" && origin.why !== undefined && passed + failed > 0) notes.push(origin.why);
  // A failed run without a failed test counts one, so that it does not look as if nothing failed.
  const failedInAll = failed + (unexplained ? 1 : 0) + (isElsewhere ? 1 : 0);
  return {
    status: hasFailed ? "failed" : "passed",
    total: passed + failedInAll + skipped,
    passed,
    failed: failedInAll,
    skipped,
    ...(exitCode !== 0 && passed + failed + skipped === 0 && { uncounted: true }),
    failures: told.slice(0, maxFailures).map(shortenFailure),
    omittedFailures: Math.max(0, Math.max(told.length, failedInAll) - maxFailures),
    notes,
  };
}

/** What stands in the output of a run that ended before it had a result. */
function explainExit(exitCode: number, text: string, root: string): TestFailure[] {
  const name = `exit code ${exitCode}`;
  return explainFailure({ name, message: text }, root).map((failure) =>
    failure.name === name ? { ...failure, message: keepEnd(cleanText(text), maxMessageLength) } : failure,
  );
}

function describeOrigin({ why = "" }: TestOrigin): TestFailure {
  return {
    name: "origin",
    type: "wrong_origin",
    message: why,
    suggestion:
      'Give the work tree an environment of its own: "setupCommand" in .forge/workbench.json runs in every new one, such as ["npm", "ci"].',
  };
}

function describeEmptyRun(skipped: number): string {
  const why = skipped > 0 ? `the runner skipped all ${skipped} tests` : "the runner found no tests";
  return `No test ran: ${why}. So this proves nothing.`;
}

function shortenFailure({ name, file, line, message, type, suggestion }: TestFailure): TestFailure {
  const text = cleanText(message);
  return {
    name: cleanText(name).slice(0, maxNameLength),
    ...(file !== undefined && { file: cleanText(file).slice(0, maxNameLength) }),
    ...(line !== undefined && { line }),
    ...(type !== undefined && { type }),
    ...(suggestion !== undefined && { suggestion: cleanText(suggestion).slice(0, maxNameLength) }),
    message: text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)} …` : text,
  };
}
