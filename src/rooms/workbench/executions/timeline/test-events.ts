import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { ActionPerformed, Issue, TimelineEvent } from "../../model/execution-model.ts";

const maxIssues = 50;

/** A run of the tests as an execution's timeline tells it: the run, and an issue for each failure. */
export function createTestEvents(run: TestRun): TimelineEvent[] {
  const { id, status, total, passed, failed, skipped, durationMs, at, runner, scope, coverage } = run;
  const ran = hasRunTests(run);
  const details = { id, status, total, passed, failed, skipped, durationMs, at, runner, scope, coverage, ran };
  return [
    { kind: "tests", run: id, message: summarizeRun(run), details },
    ...listIssues(run).map((issue): TimelineEvent => ({ kind: "issue", issue })),
  ];
}

function listIssues({ failures }: TestRun): Issue[] {
  return failures.slice(0, maxIssues).map(({ name, file, line, message }) => ({
    type: "test_failure",
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    message: `${name}: ${message}`.slice(0, 4_000),
  }));
}

type TestCounts = Pick<TestRun, "command" | "runner" | "status" | "passed" | "failed" | "skipped" | "total">;

/**
 * False where no test is known to have run: that nothing failed then says nothing. Of a command that a person configured only
 * the exit code is known, and that is what they asked for.
 */
export function hasRunTests({ command, runner, passed, failed }: TestCounts): boolean {
  return command.length > 0 && (runner === "configured" || passed + failed > 0);
}

export function summarizeRun(run: TestCounts): string {
  const { status, passed, failed, skipped, total } = run;
  const rest = [failed > 0 ? `${failed} failed` : "", skipped > 0 ? `${skipped} skipped` : ""].filter(Boolean);
  if (!hasRunTests(run)) return ["no test was run", ...rest].join(", ");
  if (total === 0) return `tests ${status}: how many is not known`;
  return `tests ${status}: ${[`${passed} of ${total} passed`, ...rest].join(", ")}`;
}

/** Why a run that "passed" without a test keeps a commit from being merged, and what to do. */
export function nothingTested(run: TestCounts & Pick<TestRun, "notes">): string {
  const ways = [
    "Add a test and call forge_commit_changes again.",
    'Where the project has tests that were not found, a person names the command that runs them as "testCommand" in .forge/workbench.json.',
    "To merge untested, if the person agrees: forge_execute_task for the task again with options {run_tests: false}, then forge_commit_changes.",
  ];
  return [`Not merged: ${summarizeRun(run)}.`, ...run.notes, ...ways].join(" ");
}

export function toTestAction(run: Pick<TestRun, "passed" | "failed" | "coverage">): ActionPerformed {
  const { passed, failed, coverage } = run;
  return { type: "tests_run", passed, failed, ...(coverage && { coverage: coverage.percentage }) };
}
