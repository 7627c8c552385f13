import * as z from "zod";
import { failureTypes, type TestRun, testTypes } from "../../../../commons/test-runs/test-run.ts";
import { actionsSchema } from "../../../../kernel/action-schema.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { unknownTestRun } from "../../executions/errors.ts";
import { executionAbout, formatCounts } from "../../executions/mappers.ts";
import { countsSchema } from "../../executions/schemas.ts";
import { fitRun, pageRun } from "../../executions/summary/fit-run.ts";
import { reportTests } from "../../executions/timeline/report-progress.ts";
import { createTestEvents } from "../../executions/timeline/test-events.ts";
import { limits } from "../../model/limits.ts";
import type { WorkbenchServices } from "../../model/services.ts";
import { executionId } from "../../model/task-model.ts";

const defaultSeconds = 600;
const maxSeconds = 3_600;

const maxPathLength = 4_096;

export const forgeRunTests = defineTool({
  name: "forge_run_tests",
  title: "Run the project's tests",
  description: "Run the project's tests. Failing tests are a result, not an error. Needs `forge trust` by the user.",
  effect: "act",
  untrusted: "repository",
  core: true,
  deadlineMs: (maxSeconds + 60) * 1_000,
  input: z.object({
    scope: z.enum(["all", "related_to_files", "failed"]).optional().describe("failed: what failed last time"),
    files: z.array(z.string().min(1).max(limits.path)).max(limits.list).optional().describe("For related_to_files"),
    test_types: z.array(z.enum(testTypes)).max(50).optional(),
    coverage: z.boolean().optional(),
    timeout_seconds: z.number().min(1).max(maxSeconds).optional().describe(`Default ${defaultSeconds}`),
    execution_id: executionId,
    run_id: z.string().min(1).max(limits.id).optional().describe("Only read this earlier result"),
    after: z.number().int().min(0).max(limits.list).optional().meta({ unadvertised: true }),
  }),
  output: z.object({
    test_results: countsSchema,
    failures: z
      .array(
        z.object({
          name: z.string().max(limits.line),
          file: z.string().max(maxPathLength).optional(),
          line: z.number().optional(),
          message: z.string().max(limits.text),
          type: z.enum(failureTypes).optional(),
          suggestion: z.string().max(limits.line).optional(),
        }),
      )
      .max(limits.list),
    omitted_failures: z.number().optional(),
    coverage: z.object({ lines_covered: z.number(), total_lines: z.number(), percentage: z.number() }).optional(),
    origin: z
      .enum(["tree", "elsewhere", "unknown"])
      .describe("Where the tested code came from. tree: this folder; unknown: the run proves nothing"),
    withheld: z
      .array(z.string().max(limits.name))
      .max(limits.list)
      .optional()
      .describe("Variables the tests did not get"),
    ignored_files: z.array(z.string().max(maxPathLength)).max(limits.list).optional(),
    omitted_ignored_files: z.number().optional(),
    limits: z.array(z.string().max(limits.name)).max(limits.list).optional(),
    run_id: z.string().max(limits.id),
    runner: z.string().max(limits.name),
    command: z.array(z.string().max(maxPathLength)).max(limits.list),
    notes: z.array(z.string().max(limits.line)).max(limits.list).optional(),
    output: z
      .string()
      .max(limits.text)
      .optional()
      .describe("The end of the runner's output, if failures do not say it"),
    execution_id: z.string().max(limits.id).optional(),
    known_failures: z
      .array(
        z.object({
          title: z.string().max(limits.line),
          count: z.number(),
          lesson: z.string().max(limits.text).optional(),
          rule: z.string().max(limits.text).optional(),
        }),
      )
      .max(limits.list)
      .optional()
      .describe("Filed before, with the same tests or files"),
    next: actionsSchema,
  }),
  about: executionAbout,
  async run(services: Pick<WorkbenchServices, "executions" | "tests" | "knownFailures">, input, call) {
    const { executions, tests } = services;
    if (input.run_id !== undefined) return pageRun(formatRun(await findRun(tests, input.run_id)), input.after ?? 0);
    const { files = [], scope = files.length > 0 ? "related_to_files" : "all", test_types: types = [] } = input;
    const { execution_id: id, coverage = false, timeout_seconds: seconds = defaultSeconds } = input;
    const meant = id === undefined ? await executions.openWorkspaceOrProject(call, id) : undefined;
    const isProject = meant && meant.execution?.status !== "running";
    // In an execution the tests must be those of its own files: the branch of its folder is checked.
    const { execution, path: root } = isProject
      ? meant
      : await executions.openWorkspace(call, id ?? meant?.execution?.id);
    const report = reportTests(call, execution);
    report({ done: 0, failed: 0, message: "Looking for the project's tests" });
    const { signal } = call;
    const run = await tests.run({ root, scope, files, types, coverage, deadlineMs: seconds * 1_000, signal, report });
    call.record.evidence.push(`test-run:${run.id}`);
    if (execution?.status === "running") await executions.appendEvents(call, execution, ...createTestEvents(run));
    const known = run.failures.length > 0 ? await services.knownFailures(call, run) : [];
    return fitRun({
      ...formatRun(run),
      ...(execution && { execution_id: execution.id }),
      ...(known.length > 0 && { known_failures: known }),
    });
  },
});

async function findRun(tests: WorkbenchServices["tests"], id: string): Promise<TestRun> {
  const run = await tests.find(id);
  if (!run) throw unknownTestRun(id);
  return run;
}

function formatRun(run: TestRun) {
  const { status, failures, omittedFailures, coverage, notes } = run;
  const listed = failures.slice(0, limits.list);
  const omitted = omittedFailures + failures.length - listed.length;
  return {
    test_results: formatCounts(run),
    failures: listed.map(formatFailure),
    ...(omitted > 0 && { omitted_failures: omitted }),
    ...(coverage && { coverage }),
    origin: run.origin.from,
    ...(run.withheld.length > 0 && {
      withheld: run.withheld.slice(0, limits.list).map((name) => name.slice(0, limits.name)),
    }),
    ...(run.ignored && { ignored_files: run.ignored.names.map((name) => name.slice(0, maxPathLength)) }),
    ...(run.ignored && run.ignored.omitted > 0 && { omitted_ignored_files: run.ignored.omitted }),
    ...(run.limits && run.limits.length > 0 && { limits: run.limits }),
    run_id: run.id,
    runner: run.runner,
    command: run.command.slice(0, limits.list).map((word) => word.slice(0, maxPathLength)),
    ...(notes.length > 0 && { notes: notes.slice(0, limits.list).map((note) => note.slice(0, limits.line)) }),
    ...(status === "failed" && { output: run.output.slice(-limits.text) }),
  };
}

function formatFailure({ name, file, line, message, type, suggestion }: TestRun["failures"][number]) {
  return {
    name: name.slice(0, limits.line),
    ...(file !== undefined && { file: file.slice(0, maxPathLength) }),
    ...(line !== undefined && { line }),
    message: message.slice(0, limits.text),
    ...(type !== undefined && { type }),
    ...(suggestion !== undefined && { suggestion: suggestion.slice(0, limits.line) }),
  };
}
