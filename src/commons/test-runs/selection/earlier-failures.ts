import type { IncludedTests, TestFailure, TestRun } from "../test-run.ts";

export type EarlierFailures = {
  failures: TestFailure[];
  /** There were more than the runs could list. */
  omitted: boolean;
};

/**
 * The tests that failed and have not passed since. A run proves nothing about tests it did not include, so all runs back to the
 * latest complete one are considered, newest first. Undefined if there was none.
 */
export function findEarlierFailures(newestFirst: readonly TestRun[]): EarlierFailures | undefined {
  const runs = newestFirst.filter(({ command }) => command.length > 0);
  if (runs.length === 0) return undefined;
  const whole = runs.findIndex(({ included }) => included === "all");
  let failures: TestFailure[] = [];
  let omitted = false;
  for (const run of runs.slice(0, whole < 0 ? runs.length : whole + 1).reverse()) {
    const { included } = run;
    if (included === "all") omitted = false;
    failures = [
      ...failures.filter((failure) => !isIncluded(failure, included) && !isFailedAgain(failure, run)),
      ...run.failures,
    ];
    omitted ||= run.omittedFailures > 0;
  }
  return { failures, omitted };
}

function isIncluded({ file, name }: TestFailure, included: IncludedTests): boolean {
  if (typeof included === "string") return included === "all";
  const { files, names } = included;
  return file !== undefined && files.includes(file) && (names.length === 0 || names.includes(name));
}

function isFailedAgain({ file, name }: TestFailure, { failures }: TestRun): boolean {
  return failures.some((failure) => failure.file === file && failure.name === name);
}
