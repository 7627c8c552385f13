import type { ParsedReport } from "../runner.ts";
import type { TestFailure, TestRun } from "../test-run.ts";
import { cleanText, keepEnd } from "./run-output.ts";

const maxFailures = 50;
const maxMessageLength = 4_000;
const maxNameLength = 500;

type Verdict = Pick<
  TestRun,
  "status" | "total" | "passed" | "failed" | "skipped" | "failures" | "omittedFailures" | "notes"
>;

/** The exit code decides; the report says how many tests there were, and which failed. */
export function judgeRun(exitCode: number, parsed: ParsedReport | undefined, text: string): Verdict {
  const { passed = 0, failed = 0, skipped = 0, failures = [] } = parsed ?? {};
  const notes = [...(parsed?.notes ?? [])];
  if (!parsed) notes.push("The number of tests is unknown: the run left no readable report.");
  if (exitCode === 0 && parsed && passed + failed === 0) notes.push(describeEmptyRun(skipped));
  if (exitCode === 0 && failed > 0) notes.push("The runner exited with code 0, but its report contains failed tests.");
  const hasFailed = exitCode !== 0 || failed > 0;
  const unexplained = exitCode !== 0 && failures.length === 0;
  const told = unexplained ? [{ name: `exit code ${exitCode}`, message: keepEnd(text, maxMessageLength) }] : failures;
  // A failed run without a failed test counts one, so that it does not look as if nothing failed.
  const failedInAll = unexplained ? failed + 1 : failed;
  return {
    status: hasFailed ? "failed" : "passed",
    total: passed + failedInAll + skipped,
    passed,
    failed: failedInAll,
    skipped,
    failures: told.slice(0, maxFailures).map(shortenFailure),
    omittedFailures: Math.max(0, Math.max(told.length, failedInAll) - maxFailures),
    notes,
  };
}

function describeEmptyRun(skipped: number): string {
  const why = skipped > 0 ? `the runner skipped all ${skipped} tests` : "the runner found no tests";
  return `No test ran: ${why}. So this proves nothing.`;
}

function shortenFailure({ name, file, line, message }: TestFailure): TestFailure {
  const text = cleanText(message);
  return {
    name: cleanText(name).slice(0, maxNameLength),
    ...(file !== undefined && { file: cleanText(file).slice(0, maxNameLength) }),
    ...(line !== undefined && { line }),
    message: text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)} …` : text,
  };
}
