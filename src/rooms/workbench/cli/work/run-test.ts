import type { App } from "../../../../commons/cli/app.ts";
import { progressLine } from "../../../../commons/cli/progress-line.ts";
import { wrongChoice } from "../../../../commons/cli/usage-errors.ts";
import { testTypes } from "../../../../commons/test-runs/test-run.ts";
import { defineCommand, type Output } from "../../../../kernel/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { choiceOf } from "../../../tickets/cli/choice.ts";
import { safeLines } from "../../../tickets/cli/work/ticket-text.ts";
import type { ShownTests } from "../desk.ts";
import { deskForResult, facts } from "./common.ts";
import { completeExecution, executionArgument } from "./execution-argument.ts";

const scopes = ["all", "related_to_files", "failed"] as const;
const shownLines = 12;

export const runTest = defineCommand({
  ...facts,
  name: "run test",
  summary: "Run the project's tests in an execution's folder",
  details:
    "Where no execution is open, in the project's. The result is kept as evidence for that very tree, and goes into the " +
    "execution's timeline. The exit code is 1 where tests fail. `forge trust` has to allow the project's tests once.",
  examples: [
    ["forge run test", "All of them."],
    ["forge run test --file src/auth.ts --coverage", "Those about a file, with how much they cover."],
    ["forge run test --scope failed", "What failed the last time."],
  ],
  arguments: [executionArgument],
  options: {
    scope: { type: "string", choices: scopes, help: "Which tests; all, or those about the files given." },
    file: { type: "list", value: "PATH", path: "file", help: "Only tests that have to do with this file." },
    type: { type: "list", value: "TYPE", help: `Only tests of this type: ${testTypes.join(", ")}.` },
    coverage: { type: "boolean", help: "Also say how much of the code they cover." },
    timeout: { type: "number", value: "SECONDS", min: 1, max: 3_600, help: "How long they may take.", default: 600 },
  },
  complete: async (app: App, place) =>
    place.option === "type" ? testTypes.map((value) => ({ value })) : completeExecution(app, place),
  async run(app: App, { positionals: [typed], options }, out) {
    const { scope, file, coverage, timeout } = options;
    const types = options.type?.flatMap((names) => names.split(",")).map(typeNamed);
    const desk = await deskForResult(app);
    const asked = {
      scope: choiceOf(scopes, scope),
      files: file,
      test_types: types,
      coverage,
      timeout_seconds: timeout,
      execution_id: await desk.executionId(typed),
    };
    try {
      const result = await desk.runTests(asked, (progress) => out.progress(progressLine(progress)));
      out.data(result, () => describe(result, out));
      if (!out.json) for (const note of result.notes ?? []) out.note(plain(note));
      return result.test_results.status === "passed" ? 0 : 1;
    } finally {
      out.progress(undefined);
    }
  },
});

function typeNamed(name: string): (typeof testTypes)[number] {
  const known = choiceOf(testTypes, name.trim());
  if (!known) throw wrongChoice("--type", name, testTypes, "run test");
  return known;
}

function describe(result: ShownTests, { style }: Output): string {
  const { status, total_tests: total, passed, failed, skipped, duration } = result.test_results;
  const { failures, omitted_failures: omitted = 0, coverage, output = "" } = result;
  const rest = [failed > 0 ? `, ${failed} failed` : "", skipped > 0 ? `, ${skipped} skipped` : ""].join("");
  const isEmpty = status === "passed" && passed === 0 && result.runner !== "configured";
  const verdict = isEmpty
    ? style.yellow("no test was run")
    : style[status === "passed" ? "green" : "red"](`tests ${status}`);
  return [
    ...failures.flatMap(({ name, file, line, message }) => [
      `${placeOf(file, line)}${style.red(plain(name))}`,
      ...indented(message),
    ]),
    ...(omitted > 0 ? [`and ${omitted} more failures`] : []),
    ...(status === "failed" && failures.length === 0 ? indented(output, "last") : []),
    `${verdict}: ${passed} of ${total} passed${rest}, in ${plain(duration)} (${plain(result.runner)})`,
    ...(coverage
      ? [`coverage: ${coverage.percentage}% of lines (${coverage.lines_covered} of ${coverage.total_lines})`]
      : []),
  ].join("\n");
}

function placeOf(file: string | undefined, line: number | undefined): string {
  if (file === undefined) return "";
  return `${plain(line === undefined ? file : `${file}:${line}`)}  `;
}

/** Of a long text the lines that say most: a failure's first, an output's last. */
function indented(text: string, which: "first" | "last" = "first"): string[] {
  if (text.trim() === "") return [];
  const lines = safeLines(text).map((line) => `    ${line}`.trimEnd());
  if (lines.length <= shownLines) return lines;
  return which === "first" ? [...lines.slice(0, shownLines), "    …"] : ["    …", ...lines.slice(-shownLines)];
}
