import type { TestRun } from "../../../commons/testing/model.ts";
import type { ActionPerformed, Issue } from "../execution-model.ts";
import type { Happening } from "../ports.ts";

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

/** False where there was nothing to run: that nothing failed then says nothing. */
export function hasRun({ command }: Pick<TestRun, "command">): boolean {
  return command.length > 0;
}

export function summaryOf(run: TestRun): string {
  const { status, passed, failed, skipped, total } = run;
  if (!hasRun(run)) return "no tests were run";
  const rest = [failed > 0 ? `${failed} failed` : "", skipped > 0 ? `${skipped} skipped` : ""].filter(Boolean);
  return `tests ${status}: ${[`${passed} of ${total} passed`, ...rest].join(", ")}`;
}

export function actionOf(run: Pick<TestRun, "passed" | "failed" | "coverage">): ActionPerformed {
  const { passed, failed, coverage } = run;
  return { type: "tests_run", passed, failed, ...(coverage && { coverage: coverage.percentage }) };
}
