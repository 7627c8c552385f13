import { join } from "node:path";
import * as z from "zod";
import { tryParseJson } from "../../../kernel/json.ts";
import { writePrivateFile } from "../../../platform/files/write/private-file.ts";
import { compileGlob, isGlob } from "../../patterns/glob.ts";
import { readNodeOrigin, writeNodePreload } from "../origin/node-preload.ts";
import type { TestProject } from "../project/test-project.ts";
import { removeOperands } from "../project/test-script.ts";
import { describeSingleRun, isWatchOption } from "../project/watch-mode.ts";
import { createCoverage } from "../reports/coverage.ts";
import { LineCounter } from "../reports/line-counter.ts";
import { findLine, readReport, toProjectPath } from "../reports/report-files.ts";
import type { ParsedReport, Runner, TestCase } from "../runner.ts";
import type { TestFailure } from "../test-run.ts";
import { isJavaScriptTest, listScriptFiles, readScriptFor, readTestScript } from "./javascript.ts";
import { nodeReporter } from "./node-reporter.ts";

const valueOptions = new Set(
  "--import --require -r --loader --experimental-loader --test-concurrency --test-timeout --test-name-pattern --test-skip-pattern --env-file -C --conditions --test-reporter --test-reporter-destination".split(
    " ",
  ),
);
const settings = /^node\.config\.json$/;
const maxScannedFiles = 200;

const testLine = z.object({
  kind: z.enum(["pass", "fail", "skip"]),
  name: z.string(),
  file: z.string().optional(),
  line: z.number().optional(),
  message: z.string().default(""),
});
const coverageLine = z.object({ kind: z.literal("coverage"), covered: z.number(), total: z.number() });
const anyLine = z.discriminatedUnion("kind", [testLine, coverageLine]);
type TestLine = z.output<typeof testLine>;

export const nodeTest: Runner = {
  name: "node:test",
  isTest: (path) => isJavaScriptTest(path) || isNodeTest(path) || runsByItself(path),
  async find(project) {
    const script = readScriptFor(project, "node:test");
    if (!script && (readTestScript(project) || !(await hasNodeTests(project)))) return undefined;
    const given = script?.args ?? [];
    const args = given.filter((word) => !isWatchOption(word));
    const once = args.length < given.length ? [describeSingleRun("`--watch` was left out")] : [];
    return {
      words: ["node", "--test", ...args],
      program: [process.execPath],
      extra: args,
      env: script?.env ?? {},
      files: await listScriptFiles(project, script, { settings, isTest: nodeTest.isTest }),
      notes: [...(script?.notes ?? []), ...once],
    };
  },
  async words(order) {
    const { project, found, choice, reports, coverage } = order;
    const reporter = join(reports, "reporter.mjs");
    await writePrivateFile(reporter, nodeReporter);
    const options = removeOperands(found.extra, valueOptions);
    const named = choice.kind === "all" ? found.extra.filter((word) => !options.includes(word)) : choice.files;
    const isWhole = choice.kind === "all" && named.every((word) => /^\.\/?$/.test(word));
    const files = isWhole && project.hasWorktrees() ? (await project.listAllFiles()).filter(runsByItself) : named;
    if (files !== named && files.length === 0)
      return { words: [...found.program, "--eval", ""], notes: ["The project has no test files."] };
    const words = [
      ...found.program,
      ...(await writeNodePreload(order, "modules")),
      ...options,
      "--test",
      ...(coverage ? ["--experimental-test-coverage"] : []),
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${join(reports, "report.jsonl")}`,
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      ...(files === named ? await expandOperands(project, named) : files.map((file) => `./${file}`)),
    ];
    return { words };
  },
  read(order) {
    const { project, reports } = order;
    const counter = new LineCounter({ done: /^\s*[✔✖﹣] /, failed: /^\s*✖ / });
    return {
      line: (text) => counter.addLine(text),
      progress: () => counter.getProgress(),
      origin: async () => readNodeOrigin(order),
      async finish() {
        const report = readReport(join(reports, "report.jsonl"));
        return report === undefined ? undefined : parseLine(report, project.root);
      },
    };
  },
};

/** What Node takes for a test besides: `test-x.js`, and all in a folder `test`. */
function isNodeTest(path: string): boolean {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  return /\.[cm]?js$/.test(name) && (folders.includes("test") || name.startsWith("test-"));
}

/** What Node runs when no file is named; it would look into Forge's work trees too, and cannot be told not to. */
function runsByItself(path: string): boolean {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  const end = runsTypeScript() ? /\.[cm]?[jt]s$/ : /\.[cm]?js$/;
  if (!end.test(name)) return false;
  return folders.includes("test") || /^(?:test|test-.+|.+[._-]test)$/.test(name.replace(end, ""));
}

/** Node takes TypeScript by itself since 22.18 and 23.6, and looks for tests in it from there on. */
function runsTypeScript(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}

/** Node 20 does not expand patterns, and there is no shell to do it. */
async function expandOperands(project: TestProject, words: readonly string[]): Promise<string[]> {
  const files = words.some(isGlob) ? await project.listFiles() : [];
  const found: string[] = [];
  for (const word of words) {
    const matches = isGlob(word) ? await compileGlob(word) : undefined;
    if (matches === undefined) found.push(word);
    else if (typeof matches !== "string") found.push(...files.filter(matches));
  }
  return found.map((word) => (word.startsWith("/") || word.startsWith("./") ? word : `./${word}`));
}

async function hasNodeTests(project: TestProject): Promise<boolean> {
  const tests = (await project.listFiles()).filter((path) => nodeTest.isTest(path)).slice(0, maxScannedFiles);
  return tests.some((path) => /["']node:test["']/.test(project.readText(path) ?? ""));
}

function parseLine(report: string, root: string): ParsedReport {
  const cases: TestCase[] = [];
  const parsed: ParsedReport = { passed: 0, failed: 0, skipped: 0, cases, failures: [], notes: [] };
  for (const text of report.split("\n")) {
    const read = anyLine.safeParse(tryParseJson(text));
    if (!read.success) continue;
    if (read.data.kind === "coverage") {
      parsed.coverage = createCoverage(read.data.covered, read.data.total);
      continue;
    }
    const { kind } = read.data;
    const outcome = kind === "pass" ? "passed" : kind === "fail" ? "failed" : "skipped";
    parsed[outcome]++;
    const { name, file } = read.data;
    cases.push({ name, outcome, ...(file !== undefined && { file: toProjectPath(root, file) }) });
    if (kind === "fail") parsed.failures.push(toFailure(read.data, root));
  }
  return parsed;
}

function toFailure({ name, file: path, line, message }: TestLine, root: string): TestFailure {
  const file = path === undefined ? undefined : toProjectPath(root, path);
  const at = (file === undefined ? undefined : findLine(message, file)) ?? line;
  // A file that could not be run is reported as a test of its name.
  const shown = file !== undefined && path === name ? file : name;
  return { name: shown, message, ...(file !== undefined && { file }), ...(at !== undefined && { line: at }) };
}
