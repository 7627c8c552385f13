import { commandFor } from "../../../../commons/cli/command-for.ts";
import { safeLines } from "../../../../commons/cli/print/text-lines.ts";
import { testTypes } from "../../../../commons/test-runs/test-run.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeRunTests } from "../../tools/executions/forge-run-tests.ts";
import { executionArgument, resolveExecution } from "../execution-argument.ts";
import type { TestResult } from "../results.ts";
import { commandFacts } from "../shared.ts";
import { suggestExecution } from "../suggestions.ts";

const maxShownLines = 12;

export const runTest = commandFor<typeof forgeRunTests>({
  ...commandFacts,
  tool: "forge_run_tests",
  name: "run test",
  summary: "Run the project's tests in an execution's folder",
  details:
    "Without an open execution, in the project's folder. The result is kept as evidence for that tree, and recorded in the " +
    "execution's timeline. The exit code is 1 if tests fail. Allow the project's tests once with `forge trust`.",
  examples: [
    ["forge run test", "Run all tests."],
    ["forge run test --file src/auth.ts --coverage", "Run tests about a file, and measure coverage."],
    ["forge run test --scope failed", "Run what failed last time."],
    ["forge run test --result test_5d0c", "Show an earlier result in full; nothing is run."],
  ],
  arguments: [executionArgument],
  only: true,
  options: {
    scope: { help: "Which tests (default: all, or those about the given files)." },
    files: { flag: "file", value: "PATH", path: "file", help: "Only tests that are related to this file." },
    test_types: {
      flag: "type",
      value: "TYPE",
      commas: true,
      help: `Only tests of this type: ${testTypes.join(", ")}.`,
    },
    coverage: { help: "Also measure how much of the code they cover." },
    run_id: { flag: "result", value: "ID", help: "Show this earlier result in full, and run nothing." },
    timeout_seconds: { flag: "timeout", value: "SECONDS", help: "How long they may take (default: 600)." },
  },
  complete: async (app, place) =>
    place.option === "type" ? testTypes.map((value) => ({ value })) : suggestExecution(app, place),
  toInput: async (given, { app }) => ({ ...given, execution_id: await resolveExecution(app, given["execution_id"]) }),
  print(result, out) {
    out.print(describeTests(result, out));
    for (const note of result.notes ?? []) out.note(plain(note));
    for (const { title, lesson = "" } of result.known_failures ?? [])
      out.note(`Happened before: ${plain(title)}. ${plain(lesson)}`.trim());
  },
  exitCode: ({ test_results: { status } }) => (status === "passed" ? 0 : 1),
});

function describeTests(result: TestResult, { style }: Output): string {
  const { status, total_tests: total, passed, failed, skipped, duration } = result.test_results;
  const { failures, omitted_failures: omitted = 0, coverage, output = "" } = result;
  const rest = [failed > 0 ? `, ${failed} failed` : "", skipped > 0 ? `, ${skipped} skipped` : ""].join("");
  const isEmpty = status === "passed" && passed === 0 && result.runner !== "configured";
  const verdict = isEmpty
    ? style.yellow("no test was run")
    : style[status === "passed" ? "green" : "red"](`tests ${status}`);
  return [
    ...failures.flatMap(({ name, file, line, message }) => [
      `${formatPlace(file, line)}${style.red(plain(name))}`,
      ...indentLines(message, "first"),
    ]),
    ...(omitted > 0 ? [`and ${omitted} more failures`] : []),
    ...(status === "failed" && failures.length === 0 ? indentLines(output, "last") : []),
    `${verdict}: ${passed} of ${total} passed${rest}, in ${plain(duration)} (${plain(result.runner)})`,
    ...(coverage
      ? [`coverage: ${coverage.percentage}% of lines (${coverage.lines_covered} of ${coverage.total_lines})`]
      : []),
  ].join("\n");
}

function formatPlace(file: string | undefined, line: number | undefined): string {
  if (file === undefined) return "";
  return `${plain(line === undefined ? file : `${file}:${line}`)}  `;
}

/** The most useful lines of a long text: the first of a failure, the last of an output. */
function indentLines(text: string, which: "first" | "last"): string[] {
  if (text.trim() === "") return [];
  const lines = safeLines(text).map((line) => `    ${line}`.trimEnd());
  if (lines.length <= maxShownLines) return lines;
  return which === "first" ? [...lines.slice(0, maxShownLines), "    …"] : ["    …", ...lines.slice(-maxShownLines)];
}
