import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { Action } from "../../../../kernel/action.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { CommitOutcome, Execution } from "../../model/execution-model.ts";
import { nothingToCommit } from "../commit/errors.ts";
import { findHookAddedFiles } from "../commit/hook-added-files.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { joinNames } from "../join-names.ts";
import { classifyChanges, listPaths } from "../ownership/change-ownership.ts";
import { PreexistingFiles } from "../ownership/preexisting-files.ts";
import { createRecoverySignal, type ExecutionRecovery } from "../recovery/execution-recovery.ts";
import { reportStage } from "../timeline/report-progress.ts";
import { createTestEvents, hasRunTests, summarizeRun } from "../timeline/test-events.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { type Blocker, changedAfterCommit, hookAddedFiles, nothingTested, preexistingCommitted } from "./blockers.ts";
import type { BranchMerger } from "./branch-merger.ts";
import type { CandidateTests } from "./candidate-tests.ts";
import { testDeadlineMs } from "./candidate-tests.ts";
import { endedByConflict } from "./errors.ts";
import { type ExecutionCleanup, keptOnRequest } from "./execution-cleanup.ts";
import { describeKept } from "./messages.ts";

const maxChanges = 20_000;

/** The task is completed, or why it is not. */
export type CompletionResult = Pick<CommitOutcome, "branchMerged" | "branchDeleted" | "taskStatus" | "execution"> & {
  branchKept?: string | undefined;
  summary: string;
  warnings: string[];
  next: Action[];
  mergedInto?: string | undefined;
  tests?: TestRun | undefined;
};

/** `blocker`: what prevents the merge. */
type TestVerdict = { run?: TestRun; blocker?: Blocker; warnings: string[] };

type CompletionServices = {
  timeline: Timeline;
  merger: BranchMerger;
  candidates: CandidateTests;
  cleanup: ExecutionCleanup;
  recovery: ExecutionRecovery;
};

/** Completes a task whose changes are committed: tests, merge, and the end of the execution. */
export class TaskCompletion {
  readonly #deps: ExecutionDeps;
  readonly #services: CompletionServices;

  constructor(deps: ExecutionDeps, services: CompletionServices) {
    this.#deps = deps;
    this.#services = services;
  }

  /** `committed`: the files of the commit that was just made; `named`: the files that were requested by name. */
  async complete(
    call: Call,
    execution: Execution,
    { committed, named }: { committed: readonly string[]; named: readonly string[] },
  ): Promise<CompletionResult> {
    const { commit } = execution;
    if (commit === undefined) throw nothingToCommit(execution);
    const added = await this.#findHookAdded(call, execution, commit, named);
    if (added.length > 0) return block(execution, hookAddedFiles(added));
    const { own: left, foreign } = await this.#listUncommitted(call, execution, committed);
    if (left.length > 0) return block(execution, changedAfterCommit(left, foreign));
    const preexisting = await this.#findPreexisting(call, execution, commit);
    if (preexisting.length > 0) return block(execution, preexistingCommitted(preexisting));
    if (!execution.options.run_tests) return this.#finish(call, execution, commit);
    // What is merged is what is tested: the branch alone where the base has not moved, else only both together.
    const {
      run: tests,
      blocker,
      warnings,
    } = (await this.#willMergeMore(call, execution))
      ? { warnings: [] }
      : await this.#test(call, execution, commit, committed);
    if (blocker) return this.#fail(call, execution, blocker, tests);
    const result = await this.#finish(call, execution, commit, tests);
    return { ...(tests && { tests }), ...result, warnings: [...warnings, ...result.warnings] };
  }

  async #willMergeMore(call: Call, execution: Execution): Promise<boolean> {
    return execution.options.finish === "merge" && this.#services.merger.hasMovedBase(execution, call.signal);
  }

  /** Files that hooks added to the commits, until they are named or removed again. */
  async #findHookAdded(call: Call, execution: Execution, commit: string, named: readonly string[]): Promise<string[]> {
    const added = await findHookAddedFiles(this.#deps, execution);
    if (added.length === 0) return [];
    const work = this.#deps.workFor(this.#deps.projectRoot);
    const changed = new Set(await work.commits.changedNames(execution.baseCommit, commit, call.signal));
    return added.filter((path) => changed.has(path) && !named.includes(path));
  }

  /** The user's files that a hook, or git, has added to the commits. */
  async #findPreexisting(call: Call, execution: Execution, commit: string): Promise<string[]> {
    if (execution.untrackedBefore.length === 0) return [];
    const preexisting = new PreexistingFiles(execution);
    const work = this.#deps.workFor(this.#deps.projectRoot);
    const changed = await work.commits.changedNames(execution.baseCommit, commit, call.signal);
    return changed.filter((path) => preexisting.has(path));
  }

  async #finish(
    call: Call,
    execution: Execution,
    commit: string,
    tested: TestRun | undefined = undefined,
  ): Promise<CompletionResult> {
    const { branch, baseBranch, options } = execution;
    if (branch === undefined || options.finish === "branch") {
      const where = branch ?? baseBranch ?? "HEAD";
      const reason = branch === undefined ? `Committed on ${where}.` : `Committed on ${branch}, which stays.`;
      const ending = { status: "completed", merged: false, keepBranch: true, reason } as const;
      const ended = await this.#services.cleanup.end(call, execution, ending, call.signal);
      return {
        branchMerged: false,
        branchDeleted: false,
        branchKept: branch,
        taskStatus: "completed",
        execution: ended.execution,
        summary: `The task is completed on ${where}.`,
        warnings: describeObstacles(ended.kept, branch),
        next: [],
      };
    }
    const merged = await this.#merge(call, execution, commit, tested);
    if (merged.kind === "kept") {
      const why = merged.why.startsWith("Not merged: ") ? merged.why : `Not merged: ${merged.why}.`;
      return this.#fail(call, execution, { why, next: merged.next }, merged.run);
    }
    const { cleanup, run } = merged;
    return {
      branchMerged: true,
      branchDeleted: cleanup.branchDeleted,
      branchKept: cleanup.branchDeleted ? undefined : branch,
      taskStatus: "completed",
      execution: merged.execution,
      mergedInto: baseBranch,
      summary: `Merged into ${baseBranch}; the task is completed.`,
      warnings: describeKept(cleanup.kept),
      next: [],
      ...(run && { tests: run }),
    };
  }

  async #merge(call: Call, execution: Execution, commit: string, tested: TestRun | undefined) {
    const { merger, candidates } = this.#services;
    try {
      if (!execution.options.run_tests) return await merger.merge(call, execution, commit);
      return await merger.merge(call, execution, commit, (candidate) =>
        candidates.check(call, execution, candidate, tested),
      );
    } catch (error) {
      const isConflict = error instanceof ForgeError && error.details?.["branch_merged"] === false;
      if (isConflict && execution.options.rollback_on_failure) {
        await this.#services.recovery.settle(execution.id, createRecoverySignal());
        const { kept } = await this.#rollBack(call, execution, error.message);
        throw endedByConflict(execution, error, describeObstacles(kept, execution.branch));
      }
      throw error;
    }
  }

  /** The commit stays on the branch; with `rollback_on_failure` the execution ends as well. */
  async #fail(
    call: Call,
    execution: Execution,
    blocker: Blocker,
    tests: TestRun | undefined,
  ): Promise<CompletionResult> {
    if (!execution.options.rollback_on_failure) return { ...block(execution, blocker), ...(tests && { tests }) };
    const { why } = blocker;
    const ended = await this.#rollBack(call, execution, why);
    return {
      branchMerged: false,
      branchDeleted: false,
      branchKept: execution.branch,
      taskStatus: "failed",
      execution: ended.execution,
      summary: `${why} The execution has ended; its commits are on ${execution.branch}.`,
      warnings: [why, ...describeObstacles(ended.kept, execution.branch)],
      next: [],
      ...(tests && { tests }),
    };
  }

  #rollBack(call: Call, execution: Execution, reason: string) {
    const ending = { status: "failed", merged: false, keepBranch: true, reason } as const;
    return this.#services.cleanup.end(call, execution, ending, call.signal);
  }

  /**
   * What is in the folder and not in its latest commit. `own`: changes of the execution, or files that were changed again after
   * they were committed; `foreign`: those of them that may be someone else's by now; `all`: everything.
   */
  async #listUncommitted(
    call: Call,
    execution: Execution,
    committed: readonly string[],
  ): Promise<{ own: string[]; foreign: string[]; all: string[] }> {
    const work = this.#deps.workFor(execution.root);
    const { commit } = await work.head(call.signal);
    if (commit === undefined) return { own: [], foreign: [], all: [] };
    const { changes } = await work.changes.list({ since: commit, limit: maxChanges }, call.signal);
    const owned = await classifyChanges(this.#deps, execution, changes, call);
    const own = new Set([...listPaths(owned.own), ...committed]);
    const foreign = listPaths([...owned.others, ...owned.mixed]).filter((path) => own.has(path));
    const all = listPaths(changes);
    return { own: all.filter((path) => own.has(path)), foreign, all };
  }

  /** Tests that cannot run prevent the merge, as failing ones do: nobody has seen them pass. */
  async #test(call: Call, execution: Execution, commit: string, committed: readonly string[]): Promise<TestVerdict> {
    const { signal } = call;
    try {
      const passed = await this.#findPassed(execution, commit, signal);
      if (passed) {
        call.record.evidence.push(`test-run:${passed.id}`);
        return { run: passed, ...(await this.#checkEvidence(call, execution, passed, { commit, committed })) };
      }
      const run = await this.#deps.tests.run({
        root: execution.root,
        scope: "all",
        files: [],
        types: [],
        coverage: false,
        deadlineMs: testDeadlineMs,
        signal,
        report: ({ done, total, message }) =>
          reportStage(call, execution, 0.4 + 0.3 * Math.min(1, done / (total ?? done + 10)), "testing", message),
      });
      call.record.evidence.push(`test-run:${run.id}`);
      await this.#services.timeline.append(call, execution, createTestEvents(run));
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
    const blockedBy = (why: string) => ({ blocker: { why: `Not merged: ${why}.`, next: [] }, warnings: [] });
    if (!hasRunTests(run)) return { blocker: nothingTested(execution, run), warnings: [] };
    const { own, all } = await this.#listUncommitted(call, execution, committed);
    if (own.length > 0) return blockedBy(`${joinNames(own)} changed while the tests ran`);
    if (run.treeChanged) return blockedBy("files changed while the tests ran, so the run proves nothing");
    if (run.tree === undefined) return { warnings: [] };
    if (run.tree === (await this.#deps.workFor(execution.root).commits.treeOf(commit, call.signal)))
      return { warnings: [] };
    if (all.length === 0) return blockedBy(`the tests did not run on the files of ${commit.slice(0, 12)}`);
    const warning = `The tests ran with files in the folder that are not in the commit: ${joinNames(all)}. Without them the tests may fail.`;
    return { warnings: [warning] };
  }
}

export function keepOpen(execution: Execution) {
  return {
    branchMerged: false,
    branchDeleted: false,
    branchKept: execution.branch,
    taskStatus: "in_progress",
    execution,
  } as const;
}

function block(execution: Execution, { why, next }: Blocker): CompletionResult {
  return {
    ...keepOpen(execution),
    summary: `${why} The commit is on ${execution.branch ?? execution.baseBranch}.`,
    warnings: [why],
    next,
  };
}

/** What prevented the folder from going back; that the branch itself stays was requested. */
function describeObstacles(kept: readonly string[], branch: string | undefined): string[] {
  return describeKept(kept.filter((text) => text !== `branch ${branch}: ${keptOnRequest}`));
}
