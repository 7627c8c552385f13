import { join, relative } from "node:path";
import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { CheckRequest, GovernanceCheckOptions } from "../governance-check.ts";
import { countsInReports, countsOf, type Side, type SideFolders, sides, type TestCounts } from "./test-counts.ts";

type CheckCall = Pick<Call, "signal" | "report">;

const testsMs = 30 * 60_000;
const maxEarlierRuns = 20;

/** Counts the tests of each side: from reports, by running them, or from an earlier run of the same files. */
export class TestCounter {
  readonly #options: Pick<GovernanceCheckOptions, "root" | "runsIn" | "git" | "tests">;

  constructor(options: Pick<GovernanceCheckOptions, "root" | "runsIn" | "git" | "tests">) {
    this.#options = options;
  }

  async count(
    folders: SideFolders,
    { mode, runTests, reports = [] }: CheckRequest,
    call: CheckCall,
    warnings: string[],
  ): Promise<Partial<Record<Side, TestCounts>>> {
    const counts = countsInReports(reports);
    for (const side of sides) {
      const folder = folders[side];
      if (counts[side]) continue;
      if (folder === undefined) counts[side] = { total: 0, failed: 0, source: `no ${side}` };
      else if (mode === "full" && runTests) {
        const run = await this.#runTests(folder, call, warnings);
        if (run) counts[side] = countsOf(run);
      } else {
        const known = await this.#earlierRun(folder, call.signal);
        if (known) counts[side] = known;
        else warnings.push(`No run of all ${side} tests is recorded for these files, so their number is not known.`);
      }
    }
    return counts;
  }

  /** Undefined where they cannot be run: trust covers the commands of the project's own folder. */
  async #runTests(folder: string, call: CheckCall, warnings: string[]) {
    const { root } = this.#options;
    const { service } = await this.#options.tests();
    try {
      return await service.run({
        root: folder,
        scope: "all",
        files: [],
        types: [],
        coverage: false,
        deadlineMs: testsMs,
        signal: call.signal,
        report: ({ done, message }) => call.report({ progress: 1 + done, message }),
      });
    } catch (error) {
      if (folder === root || !(error instanceof ForgeError) || error.code !== "TRUST_REQUIRED") throw error;
      const where = relative(root, folder);
      warnings.push(
        `The tests in ${where} were not run: trust covers only what the project's own folder runs. Run them, and pass their report.`,
      );
      return undefined;
    }
  }

  async #earlierRun(folder: string, signal: AbortSignal): Promise<TestCounts | undefined> {
    const { git, root, runsIn = root } = this.#options;
    if (!git.find(folder)) return undefined;
    const { runs } = await this.#options.tests();
    const place = join(runsIn, relative(root, folder));
    if ((await runs.latest({ root: place })).length === 0) return undefined;
    const tree = await git.work(folder).treeHash(signal);
    const known = await runs.latest({ tree, root: place, limit: maxEarlierRuns });
    // In another tree nothing of the folder is there that git ignores.
    const isSame = ({ ignored, origin, treeChanged }: TestRun) =>
      runsIn === root || (!ignored && origin.from === "tree" && !treeChanged);
    const run = known.find(
      (one) => one.scope === "all" && one.included === "all" && one.command.length > 0 && isSame(one),
    );
    return run && countsOf(run);
  }
}
