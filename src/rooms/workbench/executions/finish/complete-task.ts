import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { Call } from "../../../../kernel/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { CommitOutcome, Execution } from "../../model/execution-model.ts";
import { findHookAddedFiles } from "../commit/hook-added-files.ts";
import type { ExecutionDeps } from "../deps.ts";
import { joinNames, nothingToCommit } from "../errors.ts";
import { classifyChanges, listPaths } from "../ownership/change-ownership.ts";
import { PreexistingFiles } from "../ownership/preexisting-files.ts";
import { createRecoverySignal, type ExecutionRecovery } from "../recovery/recovery.ts";
import type { Noting } from "../timeline/noting.ts";
import { reportStage } from "../timeline/progress.ts";
import { createTestEvents, hasRunTests, nothingTested, summarizeRun } from "../timeline/test-events.ts";
import type { ExecutionCleanup } from "./cleanup.ts";
import type { BranchMerger } from "./merge-branch.ts";
import { endedByConflict } from "./merge-conflict.ts";
import { describeKept } from "./messages.ts";

const maxChanges = 20_000;
const testDeadlineMs = 20 * 60_000;

/** How completing went: the task is done, or why it is not. */
export type CompletionResult = Pick<CommitOutcome, "branchMerged" | "branchDeleted" | "taskStatus" | "execution"> & {
  branchKept?: string | undefined;
  said: string;
  warnings: string[];
  mergedInto?: string | undefined;
  tests?: TestRun | undefined;
};

/** `why`: what keeps the commit from being merged. */
type TestVerdict = { run?: TestRun; why?: string; warnings: string[] };

type CompletionDeps = {
  noting: Noting;
  merging: BranchMerger;
  finishing: ExecutionCleanup;
  recovering: ExecutionRecovery;
};

/** Completes a task whose changes are committed: tests, merge, and the end of the execution. */
export class TaskCompletion {
  readonly #parts: ExecutionDeps;
  readonly #sides: CompletionDeps;

  constructor(parts: ExecutionDeps, sides: CompletionDeps) {
    this.#parts = parts;
    this.#sides = sides;
  }

  /** `committed`: the files of the commit that was made for it just now; `named`: those that were asked for by name. */
  async complete(
    call: Call,
    execution: Execution,
    { committed, named }: { committed: readonly string[]; named: readonly string[] },
  ): Promise<CompletionResult> {
    const { commit } = execution;
    if (commit === undefined) throw nothingToCommit(execution);
    const strays = await this.#straysIn(call, execution, commit, named);
    if (strays.length > 0) return blocked(execution, strayed(strays));
    const { own: left, theirs } = await this.#notInHead(call, execution, committed);
    if (left.length > 0) return blocked(execution, changedSince(left, theirs));
    const persons = await this.#personsIn(call, execution, commit);
    if (persons.length > 0) return blocked(execution, personsCommitted(persons));
    if (!execution.options.run_tests) return this.#finish(call, execution, commit);
    const { run: tests, why, warnings } = await this.#test(call, execution, commit, committed);
    if (why !== undefined) return this.#failed(call, execution, why, tests);
    const ended = await this.#finish(call, execution, commit);
    return { ...ended, ...(tests && { tests }), warnings: [...warnings, ...ended.warnings] };
  }

  /** What hooks took into the commits although it was to stay out: until it is named, or out of them again. */
  async #straysIn(call: Call, execution: Execution, commit: string, named: readonly string[]): Promise<string[]> {
    const strays = await findHookAddedFiles(this.#parts, execution);
    if (strays.length === 0) return [];
    const work = this.#parts.workFor(this.#parts.projectRoot);
    const changed = new Set(await work.changedBetween(execution.baseCommit, commit, call.signal));
    return strays.filter((path) => changed.has(path) && !named.includes(path));
  }

  /** Files of the person's that a hook, or git, has taken into the commits all the same. */
  async #personsIn(call: Call, execution: Execution, commit: string): Promise<string[]> {
    if (execution.untrackedBefore.length === 0) return [];
    const persons = new PreexistingFiles(execution);
    const work = this.#parts.workFor(this.#parts.projectRoot);
    const changed = await work.changedBetween(execution.baseCommit, commit, call.signal);
    return changed.filter((path) => persons.has(path));
  }

  async #finish(call: Call, execution: Execution, commit: string): Promise<CompletionResult> {
    const { branch, baseBranch, options } = execution;
    if (branch === undefined || options.finish === "branch") {
      const where = branch ?? baseBranch ?? "HEAD";
      const reason = branch === undefined ? `Committed on ${where}.` : `Committed on ${branch}, which stays.`;
      const ending = { status: "completed", merged: false, keepBranch: true, reason } as const;
      const ended = await this.#sides.finishing.end(call, execution, ending, call.signal);
      return {
        branchMerged: false,
        branchDeleted: false,
        branchKept: branch,
        taskStatus: "completed",
        execution: ended.execution,
        said: `The task is completed, on ${where}.`,
        warnings: inTheWay(ended.kept, branch),
      };
    }
    const merged = await this.#merge(call, execution, commit);
    if (merged.kind === "kept")
      return this.#failed(call, execution, `Not merged: ${merged.why}.`, undefined, merged.next);
    const { tidied } = merged;
    return {
      branchMerged: true,
      branchDeleted: tidied.branchDeleted,
      branchKept: tidied.branchDeleted ? undefined : branch,
      taskStatus: "completed",
      execution: merged.execution,
      mergedInto: baseBranch,
      said: `Merged into ${baseBranch}; the task is completed.`,
      warnings: describeKept(tidied.kept),
    };
  }

  async #merge(call: Call, execution: Execution, commit: string) {
    try {
      return await this.#sides.merging.merge(call, execution, commit);
    } catch (error) {
      const isConflict = error instanceof ForgeError && error.details?.["branch_merged"] === false;
      if (isConflict && execution.options.rollback_on_failure) {
        await this.#sides.recovering.settle(execution.id, createRecoverySignal());
        const { kept } = await this.#rollBack(call, execution, error.message);
        throw endedByConflict(execution, error, kept);
      }
      throw error;
    }
  }

  /** The commit stays on the branch; with `rollback_on_failure` the execution is over as well. `next`: advice while it is not. */
  async #failed(
    call: Call,
    execution: Execution,
    why: string,
    tests: TestRun | undefined,
    next?: string,
  ): Promise<CompletionResult> {
    if (!execution.options.rollback_on_failure)
      return { ...blocked(execution, next === undefined ? why : `${why} ${next}`), ...(tests && { tests }) };
    const ended = await this.#rollBack(call, execution, why);
    return {
      branchMerged: false,
      branchDeleted: false,
      branchKept: execution.branch,
      taskStatus: "failed",
      execution: ended.execution,
      said: `${why} The execution has ended; its commits are on ${execution.branch}.`,
      warnings: [why, ...inTheWay(ended.kept, execution.branch)],
      ...(tests && { tests }),
    };
  }

  #rollBack(call: Call, execution: Execution, reason: string) {
    const ending = { status: "failed", merged: false, keepBranch: true, reason } as const;
    return this.#sides.finishing.end(call, execution, ending, call.signal);
  }

  /**
   * What is in the folder and not in its latest commit: the execution's or changed again since it was committed; those of them
   * that may be somebody else's by now; and all.
   */
  async #notInHead(
    call: Call,
    execution: Execution,
    committed: readonly string[],
  ): Promise<{ own: string[]; theirs: string[]; all: string[] }> {
    const work = this.#parts.workFor(execution.root);
    const { commit } = await work.head(call.signal);
    if (commit === undefined) return { own: [], theirs: [], all: [] };
    const { changes } = await work.changes(commit, maxChanges, call.signal);
    const whose = await classifyChanges(this.#parts, execution, changes, call);
    const own = new Set([...listPaths(whose.own), ...committed]);
    const theirs = listPaths([...whose.others, ...whose.mixed]).filter((path) => own.has(path));
    const all = listPaths(changes);
    return { own: all.filter((path) => own.has(path)), theirs, all };
  }

  /** A suite that cannot be run blocks the merge as one that fails does: nobody has seen it pass. */
  async #test(call: Call, execution: Execution, commit: string, committed: readonly string[]): Promise<TestVerdict> {
    const { tests } = this.#parts;
    const { signal } = call;
    try {
      const run = await tests.run({
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
      await this.#sides.noting.note(call, execution, createTestEvents(run));
      if (run.status === "passed")
        return { run, ...(await this.#evidence(call, execution, run, { commit, committed })) };
      const names = run.failures.map(({ name }) => name);
      const why = `Not merged: ${summarizeRun(run)}${names.length > 0 ? ` (${joinNames(names, 5)})` : ""}.`;
      return { run, why, warnings: [] };
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
      return {
        why: `Not merged: the tests could not be run. ${[error.message, ...(error.next ?? []).slice(0, 2)].join(" ")}`,
        warnings: [],
      };
    }
  }

  /** Whether a run that passed says so of this commit. What was changed meanwhile was never tested. */
  async #evidence(
    call: Call,
    execution: Execution,
    run: TestRun,
    { commit, committed }: { commit: string; committed: readonly string[] },
  ): Promise<Omit<TestVerdict, "run">> {
    if (!hasRunTests(run)) return { why: nothingTested(run), warnings: [] };
    const { own, all } = await this.#notInHead(call, execution, committed);
    if (own.length > 0) return { why: `Not merged: ${joinNames(own)} changed while the tests ran.`, warnings: [] };
    if (run.treeChanged)
      return { why: "Not merged: files changed while the tests ran, so the run says nothing of them.", warnings: [] };
    if (run.tree === undefined) return { warnings: [] };
    if (run.tree === (await this.#parts.workFor(execution.root).treeOf(commit, call.signal))) return { warnings: [] };
    if (all.length === 0)
      return { why: `Not merged: the tests ran on other files than those of ${commit.slice(0, 12)}.`, warnings: [] };
    const said = `The tests ran with files in the folder that are not in the commit: ${joinNames(all)}. Without them they may not pass.`;
    return { warnings: [said] };
  }
}

export function stillOpen(execution: Execution) {
  return {
    branchMerged: false,
    branchDeleted: false,
    branchKept: execution.branch,
    taskStatus: "in_progress",
    execution,
  } as const;
}

function blocked(execution: Execution, why: string): CompletionResult {
  return {
    ...stillOpen(execution),
    said: `${why} The commit is on ${execution.branch ?? execution.baseBranch}.`,
    warnings: [why],
  };
}

/** What kept the folder from going back; that the branch itself stays was asked for. */
function inTheWay(kept: readonly string[], branch: string | undefined): string[] {
  return describeKept(kept.filter((text) => !text.startsWith(`branch ${branch}: it was asked`)));
}

function strayed(paths: readonly string[]): string {
  return `Not merged: a hook took ${joinNames(paths)} into the commit, which may be somebody else's work. Look at it with the person: forge_commit_changes merges it once it is named in \`files\`; otherwise a person takes it out of the branch.`;
}

/** `theirs`: those that a person may have saved meanwhile; committing these is no advice to give. */
function changedSince(paths: readonly string[], theirs: readonly string[]): string {
  const what = `Something changed ${joinNames(paths)} after the commit`;
  if (theirs.length === 0) return `${what}, a hook perhaps: commit it too.`;
  return `${what}, a hook or somebody who works here. Look at ${joinNames(theirs)}: forge_commit_changes with \`files: []\` completes the task without that change, which stays in the folder; named in \`files\` it is committed too.`;
}

function personsCommitted(paths: readonly string[]): string {
  return `Not merged: ${joinNames(paths)} was here, unknown to git, before the task was begun, and is in the commit now; a hook may have added it. A person takes it out of the branch, or merges it by hand.`;
}
