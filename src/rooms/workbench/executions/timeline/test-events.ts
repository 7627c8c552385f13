import type { FailureType, TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { ActionPerformed, Issue, TimelineEvent } from "../../model/execution-model.ts";

const maxIssues = 50;

/** A test run as the timeline records it: the run, and an issue for each failure. */
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
  return failures.slice(0, maxIssues).map(({ name, file, line, message, type = "test_failure", suggestion }) => ({
    type,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    message: (isTest(type) ? `${name}: ${message}` : message).slice(0, 4_000),
    ...(suggestion !== undefined && { suggestion }),
  }));
}

/** Others have no test: the name is the compiler's, and says nothing. */
function isTest(type: FailureType): boolean {
  return type === "test_failure" || type === "timeout" || type === "panic";
}

type TestCounts = Pick<TestRun, "command" | "runner" | "status" | "passed" | "failed" | "skipped" | "total">;

/**
 * False if no test is known to have run: that nothing failed then proves nothing. Of a command that a person configured only the
 * exit code is known, and that is what they asked for.
 */
export function hasRunTests({ command, runner, passed, failed }: TestCounts): boolean {
  return command.length > 0 && (runner === "configured" || passed + failed > 0);
}

export function summarizeRun(run: TestCounts): string {
  const { status, passed, failed, skipped, total } = run;
  const rest = [failed > 0 ? `${failed} failed` : "", skipped > 0 ? `${skipped} skipped` : ""].filter(Boolean);
  if (!hasRunTests(run)) return ["no test was run", ...rest].join(", ");
  if (total === 0) return `tests ${status}: number of tests unknown`;
  return `tests ${status}: ${[`${passed} of ${total} passed`, ...rest].join(", ")}`;
}

export function toTestAction(run: Pick<TestRun, "passed" | "failed" | "coverage">): ActionPerformed {
  const { passed, failed, coverage } = run;
  return { type: "tests_run", passed, failed, ...(coverage && { coverage: coverage.percentage }) };
}
