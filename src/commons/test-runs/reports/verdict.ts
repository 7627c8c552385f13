import type { Parsed } from "../runner.ts";
import type { TestFailure, TestRun } from "../test-run.ts";
import { cleanText, endOf } from "./run-output.ts";

const listedFailures = 50;
const longestMessage = 4_000;
const longestName = 500;

type Verdict = Pick<
  TestRun,
  "status" | "total" | "passed" | "failed" | "skipped" | "failures" | "omittedFailures" | "notes"
>;

/** The exit code decides; what was parsed says how many, and which. */
export function verdict(exitCode: number, parsed: Parsed | undefined, text: string): Verdict {
  const { passed = 0, failed = 0, skipped = 0, failures = [] } = parsed ?? {};
  const notes = [...(parsed?.notes ?? [])];
  if (!parsed) notes.push("How many tests there were is not known: the run left no report that could be read.");
  if (exitCode === 0 && parsed && passed + failed === 0) notes.push(nothingRan(skipped));
  if (exitCode === 0 && failed > 0)
    notes.push("The runner ended with exit code 0, but its report names tests that failed.");
  const hasFailed = exitCode !== 0 || failed > 0;
  const unexplained = exitCode !== 0 && failures.length === 0;
  const told = unexplained ? [{ name: `exit code ${exitCode}`, message: endOf(text, longestMessage) }] : failures;
  // What ended the run counts as one, so that no run that failed says that nothing did.
  const failedInAll = unexplained ? failed + 1 : failed;
  return {
    status: hasFailed ? "failed" : "passed",
    total: passed + failedInAll + skipped,
    passed,
    failed: failedInAll,
    skipped,
    failures: told.slice(0, listedFailures).map(shortened),
    omittedFailures: Math.max(0, Math.max(told.length, failedInAll) - listedFailures),
    notes,
  };
}

function nothingRan(skipped: number): string {
  const why = skipped > 0 ? `all ${skipped} that the runner found were skipped` : "the runner found none";
  return `No test was run: ${why}. That nothing failed says nothing.`;
}

function shortened({ name, file, line, message }: TestFailure): TestFailure {
  const text = cleanText(message);
  return {
    name: cleanText(name).slice(0, longestName),
    ...(file !== undefined && { file: cleanText(file).slice(0, longestName) }),
    ...(line !== undefined && { line }),
    message: text.length > longestMessage ? `${text.slice(0, longestMessage)} …` : text,
  };
}
