import { join } from "node:path";
import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { MergeCandidate } from "../../../../platform/git/work-model.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { joinNames } from "../join-names.ts";
import { createRecoverySignal } from "../recovery/execution-recovery.ts";
import { reportStage } from "../timeline/report-progress.ts";
import { hasRunTests, summarizeRun } from "../timeline/test-events.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { type Blocker, nothingTested } from "./blockers.ts";
import { createCandidateName } from "./candidate-name.ts";
import { runAllTests } from "./run-all-tests.ts";

/** `run`: what showed that the merge may be made; `blocker`: what prevents it. */
export type CandidateVerdict = { run?: TestRun; blocker?: Blocker };

/** Tests what the base would become, in a work tree of its own, before the base becomes it. */
export class CandidateTests {
  readonly #deps: ExecutionDeps;
  readonly #timeline: Timeline;

  constructor(deps: ExecutionDeps, timeline: Timeline) {
    this.#deps = deps;
    this.#timeline = timeline;
  }

  /** `tested`: the run on the branch, if there was one; a tree that has just passed is not tested again. */
  async check(
    call: Call,
    execution: Execution,
    candidate: MergeCandidate,
    tested: TestRun | undefined,
  ): Promise<CandidateVerdict> {
    if (tested && tested.tree === candidate.tree) return { run: tested };
    const passed = await this.#deps.tests.findPassed(candidate.tree, execution.root);
    if (passed) {
      call.record.evidence.push(`test-run:${passed.id}`);
      return { run: passed };
    }
    return this.#inWorkTree(execution, candidate, call, (root) => this.#test(call, execution, root));
  }

  async #inWorkTree(
    execution: Execution,
    { commit }: MergeCandidate,
    call: Call,
    work: (root: string) => Promise<CandidateVerdict>,
  ): Promise<CandidateVerdict> {
    const { work: trusted } = await this.#deps.trustedWork(this.#deps.projectRoot, call.signal);
    const { workTrees } = trusted;
    const folder = join(workTrees.places.apart, createCandidateName(execution.id, process.pid));
    try {
      await workTrees.addCandidate(folder, commit, call.signal);
      return await work(folder);
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
      return {
        blocker: {
          why: `Not merged: the merge result could not be tested. ${error.message}`,
          next: [...(error.next ?? [])],
        },
      };
    } finally {
      await workTrees.discardCandidate(folder, createRecoverySignal());
    }
  }

  async #test(call: Call, execution: Execution, root: string): Promise<CandidateVerdict> {
    const { settings } = this.#deps;
    const { signal } = call;
    const report = (message: string) => reportStage(call, execution, 0.72, "testing", message);
    report(`Testing the merge with ${execution.baseBranch}, which has moved`);
    const setup = await settings.runSetup(root, { signal, report });
    if (setup && !setup.passed)
      return { blocker: { why: `Not merged: \`${setup.command.join(" ")}\` failed on the merge result.`, next: [] } };
    if (!setup) await settings.clonePackages(root, signal);
    const place = { root, from: 0.72, to: 0.92 };
    const run = await runAllTests(this.#deps, this.#timeline, { call, execution, place });
    return { run, ...judge(execution, run) };
  }
}

function judge(execution: Execution, run: TestRun): { blocker?: Blocker } {
  if (run.status === "failed") {
    const names = joinNames(
      run.failures.map(({ name }) => name),
      5,
    );
    const why = `Not merged: together with the latest commits on ${execution.baseBranch}, ${summarizeRun(run)}${names === "" ? "" : ` (${names})`}.`;
    const merge = `In ${execution.root}, run \`git merge ${execution.baseBranch}\`, fix what fails, and commit again.`;
    return { blocker: { why, next: [merge] } };
  }
  if (!hasRunTests(run)) return { blocker: nothingTested(execution, run) };
  if (run.treeChanged)
    return {
      blocker: { why: "Not merged: the tests changed files of the merge result, so the run proves nothing.", next: [] },
    };
  return {};
}
