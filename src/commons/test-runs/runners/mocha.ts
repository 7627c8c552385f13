import { join } from "node:path";
import * as z from "zod";
import { readNodeOrigin, writeNodePreload } from "../origin/node-preload.ts";
import type { TestProject } from "../project/test-project.ts";
import { stateFolder } from "../project/test-project.ts";
import { removeOperands } from "../project/test-script.ts";
import { isWatchOption } from "../project/watch-mode.ts";
import { findLine, readJsonReport, toProjectPath } from "../reports/report-files.ts";
import type { Runner, TestCase } from "../runner.ts";
import { findPackageRunner, isJavaScriptTest } from "./javascript.ts";

const isWatch = (word: string) => word === "-w" || isWatchOption(word);
const configFiles = ["js", "cjs", "mjs", "yaml", "yml", "json", "jsonc"].map((end) => `.mocharc.${end}`);
const settings = /^\.mocharc(?:\.\w+)?$/;
const valueOptions = new Set(
  "--require -r --config -c --ui -u --timeout -t -s --slow --file --extension --package --import --loader --node-option -n --grep -g -f --fgrep --ignore --exclude --retries --jobs -j --watch-files --watch-ignore --reporter -R --reporter-option -O".split(
    " ",
  ),
);

const test = z.object({
  fullTitle: z.string(),
  file: z.string().nullish(),
  err: z.object({ message: z.string().optional(), stack: z.string().optional() }).optional(),
});
const report = z.object({
  stats: z.object({ passes: z.number(), pending: z.number(), failures: z.number() }),
  failures: z.array(test),
  passes: z.array(test).default([]),
  pending: z.array(test).default([]),
});

export const mocha: Runner = {
  name: "mocha",
  isTest: (path) => isJavaScriptTest(path) || /^test\/[^/]+\.[cm]?js$/.test(path),
  async find(project) {
    const hints = project.readManifest().mocha === undefined ? configFiles : [...configFiles, "package.json"];
    const isSet = isWatchSet(project);
    const extra = (args: readonly string[]) => [
      ...args.filter((word) => !isWatch(word)),
      ...(isSet ? ["--no-watch"] : []),
    ];
    const once = (args: readonly string[]) => {
      if (isSet) return "`--no-watch` was added";
      const option = args.find(isWatch);
      return option === undefined ? undefined : `\`${option}\` was left out`;
    };
    return findPackageRunner(project, "mocha", { hints, settings, isTest: mocha.isTest, extra, once });
  },
  async words(order) {
    const { project, found, choice, reports, coverage } = order;
    const words = [
      ...found.program,
      ...(choice.kind === "all" ? found.extra : removeOperands(found.extra, valueOptions)),
      ...(project.hasWorktrees() ? ["", "./"].map((start) => `--ignore=${start}${stateFolder}/**`) : []),
      ...(await writeNodePreload(order, "modules")),
      "--reporter",
      "json",
      "--reporter-option",
      `output=${join(reports, "report.json")}`,
      ...(choice.kind === "all" ? [] : ["--", ...choice.files.map((file) => `./${file}`)]),
    ];
    return { words, notes: coverage ? ["No coverage: Mocha does not measure it by itself."] : [] };
  },
  read(order) {
    const { project, reports } = order;
    return {
      line: () => undefined,
      progress: () => ({ done: 0, failed: 0 }),
      origin: async () => readNodeOrigin(order),
      async finish() {
        const parsed = report.safeParse(readJsonReport(join(reports, "report.json")));
        if (!parsed.success) return undefined;
        const { passes, pending, failures } = parsed.data.stats;
        return {
          passed: passes,
          failed: failures,
          skipped: pending,
          notes: [],
          cases: [
            ...listCases(parsed.data.passes, "passed", project.root),
            ...listCases(parsed.data.failures, "failed", project.root),
            ...listCases(parsed.data.pending, "skipped", project.root),
          ],
          failures: parsed.data.failures.map(({ fullTitle, file: path, err }) => {
            const file = path ? toProjectPath(project.root, path) : undefined;
            const message = err?.stack ?? err?.message ?? "";
            const line = file === undefined ? undefined : findLine(message, file);
            return {
              name: fullTitle,
              message,
              ...(file !== undefined && { file }),
              ...(line !== undefined && { line }),
            };
          }),
        };
      },
    };
  },
};

function listCases(tests: readonly z.output<typeof test>[], outcome: TestCase["outcome"], root: string): TestCase[] {
  return tests.map(({ fullTitle, file }) => ({
    name: fullTitle,
    outcome,
    ...(file && { file: toProjectPath(root, file) }),
  }));
}

/** In its settings, whatever the script says. */
function isWatchSet(project: TestProject): boolean {
  const texts = configFiles.map((path) => project.readText(path) ?? "");
  const own = JSON.stringify(project.readManifest().mocha ?? {});
  return [...texts, own].some((text) => /^[^#/\n]*\bwatch["']?[ \t]{0,9}:[ \t]{0,9}true\b/m.test(text));
}
