import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { joinNames } from "../join-names.ts";
import { hasRunTests, summarizeRun } from "../timeline/test-events.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { type Blocker, nothingTested } from "./blockers.ts";
import { listUncommitted } from "./list-uncommitted.ts";
import { runAllTests } from "./run-all-tests.ts";

/** `blocker`: what prevents the merge. */
export type TestVerdict = { run?: TestRun; blocker?: Blocker; warnings: string[] };

/** Tests the branch of an execution, in its own folder. */
export class BranchTests {
  readonly #deps: ExecutionDeps;
  readonly #timeline: Timeline;

  constructor(deps: ExecutionDeps, timeline: Timeline) {
    this.#deps = deps;
    this.#timeline = timeline;
  }

  /** Tests that cannot run prevent the merge, as failing ones do: nobody has seen them pass. */
  async test(call: Call, execution: Execution, commit: string, committed: readonly string[]): Promise<TestVerdict> {
    const { signal } = call;
    try {
      const passed = await this.#findPassed(execution, commit, signal);
      if (passed) {
        call.record.evidence.push(`test-run:${passed.id}`);
        return { run: passed, ...(await this.#checkEvidence(call, execution, passed, { commit, committed })) };
      }
      const place = { root: execution.root, from: 0.4, to: 0.7 };
      const run = await runAllTests(this.#deps, this.#timeline, { call, execution, place });
      if (run.status === "passed")
        return { run, ...(await this.#checkEvidence(call, execution, run, { commit, committed })) };
      const names = run.failures.map(({ name }) => name);
      const why = `Not merged: ${summarizeRun(run)}${names.length > 0 ? ` (${joinNames(names, 5)})` : ""}.`;
      return { run, blocker: { why, next: [] }, warnings: [] };
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
      const why = `Not merged: the tests could not run. ${error.message}`;
      return { blocker: { why, next: [...(error.next ?? [])] }, warnings: [] };
    }
  }

  async #findPassed({ root }: Execution, commit: string, signal: AbortSignal): Promise<TestRun | undefined> {
    const tree = await this.#deps.workFor(root).commits.treeOf(commit, signal);
    return this.#deps.tests.findPassed(tree, root);
  }

  /** Whether a run that passed proves anything about this commit. Changes made in the meantime were not tested. */
  async #checkEvidence(
    call: Call,
    execution: Execution,
    run: TestRun,
    { commit, committed }: { commit: string; committed: readonly string[] },
  ): Promise<Omit<TestVerdict, "run">> {
    const blockMerge = (why: string) => ({ blocker: { why: `Not merged: ${why}.`, next: [] }, warnings: [] });
    if (!hasRunTests(run)) return { blocker: nothingTested(execution, run), warnings: [] };
    const { own, all } = await listUncommitted(this.#deps, call, execution, committed);
    if (own.length > 0) return blockMerge(`${joinNames(own)} changed while the tests ran`);
    if (run.treeChanged) return blockMerge("files changed while the tests ran, so the run proves nothing");
    if (run.tree === undefined) return { warnings: [] };
    if (run.tree === (await this.#deps.workFor(execution.root).commits.treeOf(commit, call.signal)))
      return { warnings: [] };
    if (all.length === 0) return blockMerge(`the tests did not run on the files of ${commit.slice(0, 12)}`);
    const warning = `The tests ran with files in the folder that are not in the commit: ${joinNames(all)}. Without them the tests may fail.`;
    return { warnings: [warning] };
  }
}
