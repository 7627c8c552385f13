import type { Actor } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { RepositoryWork } from "../../../../platform/git/git.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { TaskStatus } from "../../model/task-model.ts";
import type { ClaimKeeper } from "../claim-keeper.ts";
import { claimKey, type ExecutionDeps, isInPlace, toTaskKey } from "../execution-deps.ts";
import { joinNames } from "../join-names.ts";
import { classifyChanges, listPaths } from "../ownership/change-ownership.ts";
import { isOfThisProject } from "../ownership/execution-folder.ts";
import type { ExecutionEnd } from "../recovery/intents.ts";
import { Leftovers } from "../setup/leftovers.ts";
import type { Timeline } from "../timeline/timeline.ts";
import {
  baseBranchGone,
  branchRenamed,
  switchFailed,
  uncommittedKept,
  unmergedCommits,
  worktreeKept,
} from "./messages.ts";

/** What became of an execution's branch and folder. */
export type CleanupResult = { removed: string[]; kept: string[]; branchDeleted: boolean };

/** Why a branch stays that was meant to. */
export const keptOnRequest = "it was kept on request";

const taskStatusAfter: Record<ExecutionEnd["status"], TaskStatus> = {
  completed: "completed",
  failed: "failed",
  cancelled: "pending",
};

const maxCommitsCounted = 20;
const maxChanges = 20_000;

/** Ends executions. Nothing that is not merged is lost: it is kept, and the result says where. */
export class ExecutionCleanup {
  readonly #deps: ExecutionDeps;
  readonly #timeline: Timeline;
  readonly #claimKeeper: ClaimKeeper;

  constructor(deps: ExecutionDeps, timeline: Timeline, claimKeeper: ClaimKeeper) {
    this.#deps = deps;
    this.#timeline = timeline;
    this.#claimKeeper = claimKeeper;
  }

  /** If it is interrupted, it can be done again from the start. */
  async end(
    by: Actor,
    execution: Execution,
    ending: ExecutionEnd,
    signal: AbortSignal,
  ): Promise<CleanupResult & { execution: Execution }> {
    await this.#timeline.recordIntent(by, execution.id, { kind: "end", ending }, "finishing");
    const result = await this.cleanUpGit(execution, ending, signal);
    return { ...result, execution: await this.settleStore(by, execution.id, ending, result) };
  }

  /** Only the store: the execution has ended, and its task has the new status. */
  async settleStore(by: Actor, id: string, ending: ExecutionEnd, { kept, removed }: CleanupResult): Promise<Execution> {
    const { board, claims, now } = this.#deps;
    const settled = await this.#timeline.change(by, id, async (row, tx) => {
      if (row.status !== "running") return undefined;
      const task = { blockId: row.block_id, taskId: row.task_id };
      await board.settleTask(tx, by, toTaskKey(task), {
        status: taskStatusAfter[ending.status],
        ...(ending.status === "completed" && { commitId: row.commit_id ?? undefined }),
        log: ending.reason,
      });
      await claims.end(tx, claimKey(task));
      return {
        columns: { status: ending.status, stage: ending.status, ended_at: now(), holder: null, intent: null },
        events: [{ kind: ending.status, message: ending.reason, details: { kept, removed } }],
      };
    });
    this.#claimKeeper.forget(id);
    return settled;
  }

  /** Only git: back on the base branch, and what is no longer needed is removed. */
  async cleanUpGit(execution: Execution, ending: ExecutionEnd, signal: AbortSignal): Promise<CleanupResult> {
    const { branch, root } = execution;
    const result: CleanupResult = { removed: [], kept: [], branchDeleted: false };
    if (!isOfThisProject(this.#deps, execution)) {
      const kept = [root, `branch ${branch}: the folder does not belong to this project, so nothing was done there`];
      return branch === undefined ? result : { ...result, kept };
    }
    if (branch === undefined) return { ...result, kept: await this.#describeBaseWork(execution, ending, signal) };
    const work = this.#deps.workFor(this.#deps.projectRoot);
    const found = await this.#findCheckedOutBranch(execution, signal);
    const stays = isInPlace(execution)
      ? await this.#leaveProjectFolder(execution, branch, ending, signal)
      : await this.#removeWorktree(execution, found ?? branch, signal);
    if (stays) result.kept.push(stays.where);
    else if (!isInPlace(execution)) result.removed.push(root);
    const tip = await work.branches.tip(branch, signal);
    if (tip === undefined && found !== undefined && found !== branch && found !== execution.baseBranch) {
      result.kept.push([branchRenamed(branch, found), ...(stays?.why === undefined ? [] : [stays.why])].join(" And "));
      return result;
    }
    const why = stays?.why ?? (tip && (await this.#whyBranchStays(work, execution, branch, tip, ending, signal)));
    if (why !== undefined) {
      result.kept.push(`branch ${branch}: ${why}`);
      return result;
    }
    const problem = tip && (await tryDeleteBranch(work, branch, tip, signal));
    if (problem !== undefined) result.kept.push(`branch ${branch}: ${problem}`);
    else result.removed.push(`branch ${branch}`);
    return { ...result, branchDeleted: problem === undefined };
  }

  /** An execution without a branch of its own: nothing is undone, but the result names what was done. */
  async #describeBaseWork(execution: Execution, { status }: ExecutionEnd, signal: AbortSignal): Promise<string[]> {
    const { root, baseBranch, commit } = execution;
    if (status === "completed") return [];
    const work = this.#deps.workFor(root);
    const uncommitted = await this.#describeUncommitted(execution, signal);
    const isThere = commit && baseBranch !== undefined && (await work.branches.contains(baseBranch, commit, signal));
    return [
      ...(uncommitted ? [`${uncommitted}. Commit it or undo it.`] : []),
      ...(isThere
        ? [
            `${baseBranch}: the task's commits stay on it, the last is ${commit.slice(0, 12)}; \`git revert COMMIT\` undoes one.`,
          ]
        : []),
    ];
  }

  /** The execution's uncommitted changes, and the branch they are on now, in words. */
  async #describeUncommitted(execution: Execution, signal: AbortSignal): Promise<string | undefined> {
    const { root } = execution;
    const work = this.#deps.workFor(root);
    const { branch, commit } = await work.head(signal);
    if (commit === undefined) return undefined;
    const { changes } = await work.changes.list({ since: commit, limit: maxChanges }, signal);
    const owned = await classifyChanges(this.#deps, execution, changes, { signal });
    const own = listPaths([...owned.own, ...owned.mixed]);
    if (own.length === 0) return undefined;
    const isElsewhere = branch !== (execution.branch ?? execution.baseBranch);
    const where = `${branch ?? "no branch"}${isElsewhere ? ", which someone has switched to" : ""}`;
    return `${root}: ${joinNames(own)} is changed and not committed, on ${where}`;
  }

  async #findCheckedOutBranch(execution: Execution, signal: AbortSignal): Promise<string | undefined> {
    const { workFor, projectRoot } = this.#deps;
    if (isInPlace(execution)) return (await workFor(execution.root).head(signal)).branch;
    return (await workFor(projectRoot).workTrees.list(signal)).find(({ path }) => path === execution.root)?.branch;
  }

  /** `why`: what keeps the branch as well. */
  async #leaveProjectFolder(
    execution: Execution,
    branch: string,
    ending: ExecutionEnd,
    signal: AbortSignal,
  ): Promise<{ where: string; why?: string } | undefined> {
    const { root, baseBranch } = execution;
    const work = this.#deps.workFor(root);
    const head = await work.head(signal);
    const uncommitted = ending.status === "completed" ? undefined : await this.#describeUncommitted(execution, signal);
    if (head.branch !== branch) return uncommitted === undefined ? undefined : { where: uncommitted };
    if (uncommitted !== undefined) return { where: uncommitted, why: uncommittedKept(branch, baseBranch) };
    if (baseBranch === undefined || (await work.branches.tip(baseBranch, signal)) === undefined)
      return { where: `${root}: still on ${branch}`, why: baseBranchGone(branch, baseBranch) };
    try {
      const trusted = await this.#deps.trustedWork(root, signal);
      await trusted.work.branches.switchTo(baseBranch, signal);
      return undefined;
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
      return { where: root, why: switchFailed(root, baseBranch, error.message) };
    }
  }

  async #removeWorktree(
    { id, root }: Execution,
    branch: string,
    signal: AbortSignal,
  ): Promise<{ where: string; why: string } | undefined> {
    const { store, workFor, projectRoot } = this.#deps;
    const written = await store.database.read((db) => store.listWrittenFiles(db, id));
    const leftovers = await Leftovers.of(this.#deps, { id });
    const reasons = await workFor(projectRoot).workTrees.remove(root, signal, {
      wanted: written.map(({ path }) => path),
      ...(!leftovers.isEmpty && { isExpendable: (path: string, print: string) => leftovers.has(path, print) }),
    });
    if (reasons.length === 0) return undefined;
    return { where: root, why: worktreeKept(root, branch, reasons) };
  }

  async #whyBranchStays(
    work: RepositoryWork,
    { baseBranch, baseCommit }: Execution,
    branch: string,
    tip: string,
    { keepBranch }: ExecutionEnd,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (tip === baseCommit) return undefined;
    const base = baseBranch !== undefined && (await work.branches.tip(baseBranch, signal)) ? baseBranch : undefined;
    if (keepBranch) return keptOnRequest;
    if (base === undefined) return baseBranchGone(branch, baseBranch);
    // Asked even where it was merged: someone may have committed to it since.
    if (await work.branches.contains(base, tip, signal)) return undefined;
    const { length } = await work.branches.unmergedCommits(branch, base, maxCommitsCounted, signal);
    return unmergedCommits(branch, base, length, length < maxCommitsCounted);
  }
}

/** Why the branch could not be deleted; undefined once it is deleted. */
async function tryDeleteBranch(
  work: RepositoryWork,
  branch: string,
  tip: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await work.branches.delete(branch, tip, signal);
    return undefined;
  } catch (error) {
    if (error instanceof ForgeError && error.code === "CONFLICT_ERROR") return error.message;
    throw error;
  }
}
