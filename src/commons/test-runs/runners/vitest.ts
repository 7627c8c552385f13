import { join } from "node:path";
import { readNodeOrigin, writeNodePreload } from "../origin/node-preload.ts";
import { stateFolder } from "../project/test-project.ts";
import { removeOperands } from "../project/test-script.ts";
import { isWatchOption } from "../project/watch-mode.ts";
import { readIstanbulCoverage } from "../reports/coverage.ts";
import { readJestReport } from "../reports/jest-report.ts";
import { LineCounter } from "../reports/line-counter.ts";
import type { Runner } from "../runner.ts";
import { addNodeOptions, findPackageRunner, isJavaScriptTest } from "./javascript.ts";

const onceOptions = new Set(["run", "--run", "--watch=false", "--no-watch"]);
const watchOptions = new Set(["watch", "dev", "-w", "--ui"]);
const valueOptions = new Set(["--config", "-c", "--root", "-r", "--dir", "--project", "--reporter", "--pool", "-t"]);
const settings = /^(?:(?:vitest|vite)\.config|vitest\.(?:workspace|projects))\.(?:[cm]?[jt]s|json)$/;
const providers = ["@vitest/coverage-v8", "@vitest/coverage-istanbul"];

export const vitest: Runner = {
  name: "vitest",
  relatesItself: true,
  isTest: isJavaScriptTest,
  async find(project) {
    const hints = ["ts", "mts", "js", "mjs"].map((end) => `vitest.config.${end}`);
    const isAboutWatching = (word: string) => onceOptions.has(word) || watchOptions.has(word) || isWatchOption(word);
    const extra = (args: readonly string[]) => ["run", ...args.filter((word) => !isAboutWatching(word))];
    // Without a command or an option it watches, on a terminal at least.
    const once = (args: readonly string[]) =>
      args.some((word) => onceOptions.has(word)) ? undefined : "`run` was added";
    return findPackageRunner(project, "vitest", { hints, settings, isTest: isJavaScriptTest, extra, once });
  },
  async words(order) {
    const { project, found, choice, reports, coverage } = order;
    const extra = found.extra.slice(1);
    const provider = providers.some((name) => project.hasPackage(name));
    const words = [
      ...addNodeOptions(found.program, await writeNodePreload(order, "packages")),
      ...(choice.kind === "related" ? ["related", "--run"] : ["run"]),
      ...(choice.kind === "all" ? extra : removeOperands(extra, valueOptions)),
      ...(choice.kind === "related" ? ["--passWithNoTests"] : []),
      ...(project.hasWorktrees() ? [`--exclude=${stateFolder}/**`] : []),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${join(reports, "report.json")}`,
      ...(coverage && provider
        ? [
            "--coverage.enabled",
            "--coverage.reporter=json-summary",
            "--coverage.reportOnFailure",
            `--coverage.reportsDirectory=${join(reports, "coverage")}`,
          ]
        : []),
      // It takes what comes after `--` for no file at all.
      ...(choice.kind === "all" ? [] : choice.files.map((file) => `./${file}`)),
    ];
    const missing = `No coverage: the project has neither ${providers.join(" nor ")}.`;
    return { words, notes: coverage && !provider ? [missing] : [] };
  },
  read(order) {
    const { project, reports } = order;
    const counter = new LineCounter({ done: /\((\d{1,7}) tests?\b/, failed: /\d tests? \| (\d{1,7}) failed/ });
    return {
      line: (line) => counter.addLine(line),
      progress: () => counter.getProgress(),
      origin: async () => readNodeOrigin(order),
      async finish() {
        const parsed = readJestReport(join(reports, "report.json"), project.root);
        return parsed && { ...parsed, coverage: readIstanbulCoverage(join(reports, "coverage")) };
      },
    };
  },
};
