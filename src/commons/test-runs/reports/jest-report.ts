import * as z from "zod";
import type { Counts, ParsedReport, TestCase } from "../runner.ts";
import type { TestFailure } from "../test-run.ts";
import { findLine, readJsonReport, toProjectPath } from "./report-files.ts";

const test = z.object({
  fullName: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()).nullish(),
  location: z.object({ line: z.number() }).nullish(),
});
const report = z.object({
  testResults: z.array(
    z.object({ name: z.string(), status: z.string(), message: z.string().nullish(), assertionResults: z.array(test) }),
  ),
});

/** Jest's report in JSON, which Vitest writes too. A file that could not be loaded counts as one failed test. */
export function readJestReport(path: string, root: string): ParsedReport | undefined {
  const parsed = report.safeParse(readJsonReport(path));
  if (!parsed.success) return undefined;
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: TestFailure[] = [];
  const cases: TestCase[] = [];
  for (const { name, status, message, assertionResults } of parsed.data.testResults) {
    const file = toProjectPath(root, name);
    const outcomes = assertionResults.map((result) => toOutcome(result.status));
    for (const outcome of outcomes) counts[outcome]++;
    cases.push(...assertionResults.map((one) => ({ name: one.fullName, file, outcome: toOutcome(one.status) })));
    failures.push(
      ...assertionResults.filter((result) => result.status === "failed").map((one) => toFailure(one, file)),
    );
    if (status !== "failed" || outcomes.includes("failed")) continue;
    counts.failed++;
    failures.push(addLine({ name: file, file, message: message ?? "The file could not be loaded." }));
  }
  return { ...counts, cases, failures, notes: [] };
}

function toOutcome(status: string): keyof Counts {
  return status === "passed" || status === "failed" ? status : "skipped";
}

function toFailure({ fullName, failureMessages, location }: z.output<typeof test>, file: string): TestFailure {
  const failure = addLine({ name: fullName, file, message: (failureMessages ?? []).join("\n") });
  return location ? { ...failure, line: location.line } : failure;
}

function addLine(failure: TestFailure & { file: string }): TestFailure {
  const line = findLine(failure.message, failure.file);
  return line === undefined ? failure : { ...failure, line };
}
