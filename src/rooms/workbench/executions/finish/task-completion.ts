import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { Action } from "../../../../kernel/action.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { CommitOutcome, Execution } from "../../model/execution-model.ts";
import { nothingToCommit } from "../commit/errors.ts";
import { findHookAddedFiles } from "../commit/hook-added-files.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { PreexistingFiles } from "../ownership/preexisting-files.ts";
import { createRecoverySignal, type ExecutionRecovery } from "../recovery/execution-recovery.ts";
import type { QueuedMerge } from "../recovery/intents.ts";
import { type Blocker, changedAfterCommit, hookAddedFiles, preexistingCommitted } from "./blockers.ts";
import type { BranchMerger, CandidateCheck } from "./branch-merger.ts";
import type { BranchTests } from "./branch-tests.ts";
import type { CandidateTests } from "./candidate-tests.ts";
import { endedByConflict } from "./errors.ts";
import { type ExecutionCleanup, keptOnRequest } from "./execution-cleanup.ts";
import { listUncommitted } from "./list-uncommitted.ts";
import type { MergeQueue } from "./merge-queue.ts";
import { describeKept } from "./messages.ts";

/** The task is completed, or why it is not. */
export type CompletionResult = Pick<
  CommitOutcome,
  "branchMerged" | "branchDeleted" | "taskStatus" | "execution" | "merge"
> & {
  branchKept?: string | undefined;
  summary: string;
  warnings: string[];
  next: Action[];
  mergedInto?: string | undefined;
  tests?: TestRun | undefined;
};

type CompletionServices = {
  merger: BranchMerger;
  candidates: CandidateTests;
  tests: BranchTests;
  queue: Pick<MergeQueue, "add">;
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
    const { own: left, foreign } = await listUncommitted(this.#deps, call, execution, committed);
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
      : await this.#services.tests.test(call, execution, commit, committed);
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
    tested?: TestRun,
    queued?: QueuedMerge,
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
    const merged = await this.#merge(call, execution, commit, tested, queued);
    if (merged.kind === "busy") return this.#wait(call, execution, commit, tested);
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
      summary: `Merged into ${baseBranch}; the task is completed.${run ? "" : " The merge result was not tested."}`,
      merge: "merged",
      warnings: describeKept(cleanup.kept),
      next: [],
      ...(run && { tests: run }),
    };
  }

  /** Later, when it is its turn. `queued`: as it was put into the queue; the queue holds the turn. */
  completeQueued(call: Call, execution: Execution, queued: QueuedMerge, tested: TestRun | undefined) {
    return this.#finish(call, execution, queued.tip, tested, queued);
  }

  /** Others take longer than the caller can wait: the commit stays on its branch, and is merged when it is its turn. */
  async #wait(
    call: Call,
    execution: Execution,
    commit: string,
    tested: TestRun | undefined,
  ): Promise<CompletionResult> {
    const { branch, baseBranch } = execution;
    const waiting = await this.#services.queue.add(call, execution, { tip: commit, run: tested?.id });
    return {
      ...keepOpen(waiting),
      merge: "queued",
      summary: `Other merges into ${baseBranch} are still running. The commit is on ${branch} and waits in the queue; the task is completed when it is merged.`,
      warnings: [],
      next: [
        { tool: "forge_get_execution", input: { execution_id: execution.id }, why: "to see whether it is merged" },
      ],
      ...(tested && { tests: tested }),
    };
  }

  async #merge(
    call: Call,
    execution: Execution,
    commit: string,
    tested: TestRun | undefined,
    queued: QueuedMerge | undefined,
  ) {
    const { merger, candidates } = this.#services;
    const check: CandidateCheck | undefined = execution.options.run_tests
      ? (candidate) => candidates.check(call, execution, candidate, tested)
      : undefined;
    try {
      return await merger.merge(call, execution, { commit, queued }, check);
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
