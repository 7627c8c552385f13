import { join } from "node:path";
import * as z from "zod";
import { readNodeOrigin, writeNodePreload } from "../origin/node-preload.ts";
import { stateFolder, type TestProject } from "../project/test-project.ts";
import { removeOperands } from "../project/test-script.ts";
import { isWatchOption } from "../project/watch-mode.ts";
import { readIstanbulCoverage } from "../reports/coverage.ts";
import { readJestReport } from "../reports/jest-report.ts";
import { LineCounter } from "../reports/line-counter.ts";
import type { Runner } from "../runner.ts";
import { addNodeOptions, findPackageRunner, isJavaScriptTest } from "./javascript.ts";

const valueOptions = new Set([
  "--config",
  "-c",
  "--rootDir",
  "--roots",
  "--maxWorkers",
  "-w",
  "-t",
  "--env",
  "--testEnvironment",
  "--selectProjects",
  "--reporters",
]);

const settings = /^jest\.config\.(?:[cm]?[jt]s|json)$/;

const config = z.object({ modulePathIgnorePatterns: z.array(z.string()) });

/** What is said on the command line takes the place of the project's own, which goes along as far as it can be read. */
function listIgnored(project: TestProject): string[] {
  const own = config.safeParse(project.readManifest().jest);
  return [`<rootDir>/\\${stateFolder}/`, ...(own.success ? own.data.modulePathIgnorePatterns : [])];
}

export const jest: Runner = {
  name: "jest",
  relatesItself: true,
  runsTestsOnly: true,
  isTest: isJavaScriptTest,
  async find(project) {
    const configs = ["ts", "mts", "cts", "js", "mjs", "cjs", "json"].map((end) => `jest.config.${end}`);
    const hints = project.readManifest().jest === undefined ? configs : [...configs, "package.json"];
    const extra = (args: readonly string[]) => args.filter((word) => word !== "--json" && !isWatchOption(word));
    const once = (args: readonly string[]) => {
      const option = args.find(isWatchOption);
      return option === undefined ? undefined : `\`${option}\` was left out`;
    };
    return findPackageRunner(project, "jest", { hints, settings, isTest: isJavaScriptTest, extra, once });
  },
  async words(order) {
    const { project, found, choice, reports, coverage } = order;
    const words = [
      ...addNodeOptions(found.program, await writeNodePreload(order, "sources")),
      ...(choice.kind === "all" ? found.extra : removeOperands(found.extra, valueOptions)),
      ...(project.hasWorktrees() ? listIgnored(project).map((one) => `--modulePathIgnorePatterns=${one}`) : []),
      "--ci",
      "--json",
      `--outputFile=${join(reports, "report.json")}`,
      ...(coverage
        ? ["--coverage", "--coverageReporters=json-summary", `--coverageDirectory=${join(reports, "coverage")}`]
        : []),
      ...(choice.kind === "related" ? ["--passWithNoTests", "--findRelatedTests"] : []),
      // What a transformer made of a file in an earlier run stays in its cache, even if the transformer is another by now.
      ...(choice.kind === "tests" ? ["--runTestsByPath", `--cacheDirectory=${join(reports, "cache")}`] : []),
      ...(choice.kind === "all" ? [] : ["--", ...choice.files.map((file) => `./${file}`)]),
    ];
    return { words };
  },
  read(order) {
    const { project, reports } = order;
    const counter = new LineCounter({ done: /^(?:PASS|FAIL) /, failed: /^FAIL / });
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
