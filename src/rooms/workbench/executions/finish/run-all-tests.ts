import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { reportStage } from "../timeline/report-progress.ts";
import { createTestEvents } from "../timeline/test-events.ts";
import type { Timeline } from "../timeline/timeline.ts";

const deadlineMs = 20 * 60_000;

/** `from` and `to`: the part of the commit's progress that the run is. */
type Place = { root: string; from: number; to: number };

/** Runs all tests of a folder before a merge, and records the run as evidence. */
export async function runAllTests(
  { tests }: Pick<ExecutionDeps, "tests">,
  timeline: Timeline,
  { call, execution, place }: { call: Call; execution: Execution; place: Place },
): Promise<TestRun> {
  const { root, from, to } = place;
  const run = await tests.run({
    root,
    scope: "all",
    files: [],
    types: [],
    coverage: false,
    deadlineMs,
    signal: call.signal,
    report: ({ done, total, message }) =>
      reportStage(call, execution, from + (to - from) * Math.min(1, done / (total ?? done + 10)), "testing", message),
  });
  call.record.evidence.push(`test-run:${run.id}`);
  await timeline.append(call, execution, createTestEvents(run));
  return run;
}
