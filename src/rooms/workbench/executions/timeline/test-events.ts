import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { ActionPerformed, Issue } from "../../model/execution-model.ts";
import type { Happening } from "../../model/services.ts";

const mostIssues = 50;

/** A run of the tests as an execution's timeline tells it: the run, and an issue for each failure. */
export function happeningsOf(run: TestRun): Happening[] {
  const { id, status, total, passed, failed, skipped, durationMs, at, runner, scope, coverage } = run;
  const ran = hasRun(run);
  const details = { id, status, total, passed, failed, skipped, durationMs, at, runner, scope, coverage, ran };
  return [
    { kind: "tests", run: id, message: summaryOf(run), details },
    ...issuesOf(run).map((issue): Happening => ({ kind: "issue", issue })),
  ];
}

function issuesOf({ failures }: TestRun): Issue[] {
  return failures.slice(0, mostIssues).map(({ name, file, line, message }) => ({
    type: "test_failure",
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    message: `${name}: ${message}`.slice(0, 4_000),
  }));
}

type Counted = Pick<TestRun, "command" | "runner" | "status" | "passed" | "failed" | "skipped" | "total">;

/**
 * False where no test is known to have run: that nothing failed then says nothing. Of a command that a person configured only
 * the exit code is known, and that is what they asked for.
 */
export function hasRun({ command, runner, passed, failed }: Counted): boolean {
  return command.length > 0 && (runner === "configured" || passed + failed > 0);
}

export function summaryOf(run: Counted): string {
  const { status, passed, failed, skipped, total } = run;
  const rest = [failed > 0 ? `${failed} failed` : "", skipped > 0 ? `${skipped} skipped` : ""].filter(Boolean);
  if (!hasRun(run)) return ["no test was run", ...rest].join(", ");
  if (total === 0) return `tests ${status}: how many is not known`;
  return `tests ${status}: ${[`${passed} of ${total} passed`, ...rest].join(", ")}`;
}

/** Why a run that "passed" without a test keeps a commit from being merged, and what to do. */
export function nothingTested(run: Counted & Pick<TestRun, "notes">): string {
  const ways = [
    "Add a test and call forge_commit_changes again.",
    'Where the project has tests that were not found, a person names the command that runs them as "testCommand" in .forge/workbench.json.',
    "To merge untested, if the person agrees: forge_execute_task for the task again with options {run_tests: false}, then forge_commit_changes.",
  ];
  return [`Not merged: ${summaryOf(run)}.`, ...run.notes, ...ways].join(" ");
}

export function actionOf(run: Pick<TestRun, "passed" | "failed" | "coverage">): ActionPerformed {
  const { passed, failed, coverage } = run;
  return { type: "tests_run", passed, failed, ...(coverage && { coverage: coverage.percentage }) };
}
