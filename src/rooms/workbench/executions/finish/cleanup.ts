import { ForgeError } from "../../../../kernel/errors.ts";
import type { RepositoryWork } from "../../../../platform/git/git.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { Actor } from "../../model/services.ts";
import type { TaskStatus } from "../../model/task-model.ts";
import type { ClaimKeeper } from "../claim-keeper.ts";
import { claimKey, type ExecutionDeps, isInPlace, toTaskKey } from "../deps.ts";
import { joinNames } from "../errors.ts";
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

const taskStatusAfter: Record<ExecutionEnd["status"], TaskStatus> = {
  completed: "completed",
  failed: "failed",
  cancelled: "pending",
};

const maxCommitsCounted = 20;
const maxChanges = 20_000;

/** Ends executions. Nothing that is not merged is lost: what would be is kept, and it is said where. */
export class ExecutionCleanup {
  readonly #parts: ExecutionDeps;
  readonly #journal: Timeline;
  readonly #keeping: ClaimKeeper;

  constructor(parts: ExecutionDeps, journal: Timeline, keeping: ClaimKeeper) {
    this.#parts = parts;
    this.#journal = journal;
    this.#keeping = keeping;
  }

  /** May be done again from the start wherever it was cut off. */
  async end(
    by: Actor,
    execution: Execution,
    ending: ExecutionEnd,
    signal: AbortSignal,
  ): Promise<CleanupResult & { execution: Execution }> {
    await this.#journal.recordIntent(by, execution.id, { kind: "end", ending }, "finishing");
    const tidied = await this.cleanUpGit(execution, ending, signal);
    return { ...tidied, execution: await this.settleStore(by, execution.id, ending, tidied) };
  }

  /** Only the store: the execution is over and its task says so. */
  async settleStore(by: Actor, id: string, ending: ExecutionEnd, { kept, removed }: CleanupResult): Promise<Execution> {
    const { board, claims, now } = this.#parts;
    const settled = await this.#journal.change(by, id, async (row, tx) => {
      if (row.status !== "running") return undefined;
      const task = { blockId: row.block_id, taskId: row.task_id };
      await board.settleTask(tx, by, toTaskKey(task), {
        status: taskStatusAfter[ending.status],
        ...(ending.status === "completed" && { commitId: row.commit_id ?? undefined }),
        log: ending.reason,
      });
      await claims.end(tx, claimKey(task));
      return {
        columns: { status: ending.status, stage: ending.status, ended_at: now(), holder: null, serializeIntent: null },
        events: [{ kind: ending.status, message: ending.reason, details: { kept, removed } }],
      };
    });
    this.#keeping.forget(id);
    return settled;
  }

  /** Only git: back on the base, and what is not needed any more is gone. */
  async cleanUpGit(execution: Execution, ending: ExecutionEnd, signal: AbortSignal): Promise<CleanupResult> {
    const { branch, root } = execution;
    const tidied: CleanupResult = { removed: [], kept: [], branchDeleted: false };
    if (!isOfThisProject(this.#parts, execution)) {
      const kept = [root, `branch ${branch}: the folder is not one of this project, so nothing was done there`];
      return branch === undefined ? tidied : { ...tidied, kept };
    }
    if (branch === undefined) return { ...tidied, kept: await this.#onBase(execution, ending, signal) };
    const work = this.#parts.workFor(this.#parts.projectRoot);
    const found = await this.#branchIn(execution, signal);
    const stays = isInPlace(execution)
      ? await this.#leavePlace(execution, branch, ending, signal)
      : await this.#removeFolder(execution, found ?? branch, signal);
    if (stays) tidied.kept.push(stays.where);
    else if (!isInPlace(execution)) tidied.removed.push(root);
    const tip = await work.branchTip(branch, signal);
    if (tip === undefined && found !== undefined && found !== branch && found !== execution.baseBranch) {
      tidied.kept.push([branchRenamed(branch, found), ...(stays?.why === undefined ? [] : [stays.why])].join(" And "));
      return tidied;
    }
    const why = stays?.why ?? (tip && (await this.#whyBranchStays(work, execution, branch, tip, ending, signal)));
    if (why !== undefined) {
      tidied.kept.push(`branch ${branch}: ${why}`);
      return tidied;
    }
    const refused = tip && (await tryDeleteBranch(work, branch, tip, signal));
    if (refused !== undefined) tidied.kept.push(`branch ${branch}: ${refused}`);
    else tidied.removed.push(`branch ${branch}`);
    return { ...tidied, branchDeleted: refused === undefined };
  }

  /** Where there is no branch of its own, nothing is taken back: what was done is named. */
  async #onBase(execution: Execution, { status }: ExecutionEnd, signal: AbortSignal): Promise<string[]> {
    const { root, baseBranch, commit } = execution;
    if (status === "completed") return [];
    const work = this.#parts.workFor(root);
    const own = await this.#uncommitted(execution, signal);
    const isThere = commit && baseBranch !== undefined && (await work.contains(baseBranch, commit, signal));
    return [
      ...(own ? [`${own}. A person commits it or takes it back.`] : []),
      ...(isThere
        ? [
            `${baseBranch}: what was committed for the task stays on it, ${commit.slice(0, 12)} last; \`git revert\` with a commit undoes it.`,
          ]
        : []),
    ];
  }

  /** What the execution changed in its folder and nobody has committed, and on which branch that is now; in words. */
  async #uncommitted(execution: Execution, signal: AbortSignal): Promise<string | undefined> {
    const { root } = execution;
    const work = this.#parts.workFor(root);
    const { branch, commit } = await work.head(signal);
    if (commit === undefined) return undefined;
    const { changes } = await work.changes(commit, maxChanges, signal);
    const whose = await classifyChanges(this.#parts, execution, changes, { signal });
    const own = listPaths([...whose.own, ...whose.mixed]);
    if (own.length === 0) return undefined;
    const isElsewhere = branch !== (execution.branch ?? execution.baseBranch);
    const where = `${branch ?? "no branch"}${isElsewhere ? ", to which somebody has switched" : ""}`;
    return `${root}: ${joinNames(own)} is changed and not committed, on ${where}`;
  }

  async #branchIn(execution: Execution, signal: AbortSignal): Promise<string | undefined> {
    const { workFor, projectRoot } = this.#parts;
    if (isInPlace(execution)) return (await workFor(execution.root).head(signal)).branch;
    return (await workFor(projectRoot).workTrees(signal)).find(({ path }) => path === execution.root)?.branch;
  }

  /** `why`: what keeps the branch as well. */
  async #leavePlace(
    execution: Execution,
    branch: string,
    ending: ExecutionEnd,
    signal: AbortSignal,
  ): Promise<{ where: string; why?: string } | undefined> {
    const { root, baseBranch } = execution;
    const work = this.#parts.workFor(root);
    const head = await work.head(signal);
    const own = ending.status === "completed" ? undefined : await this.#uncommitted(execution, signal);
    if (head.branch !== branch) return own === undefined ? undefined : { where: own };
    if (own !== undefined) return { where: own, why: uncommittedKept(branch, baseBranch) };
    if (baseBranch === undefined || (await work.branchTip(baseBranch, signal)) === undefined)
      return { where: `${root}: still on ${branch}`, why: baseBranchGone(branch, baseBranch) };
    try {
      const trusted = await this.#parts.trustedWork(root, signal);
      await trusted.work.switchTo(baseBranch, signal);
      return undefined;
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
      return { where: root, why: switchFailed(root, baseBranch, error.message) };
    }
  }

  async #removeFolder(
    { id, root }: Execution,
    branch: string,
    signal: AbortSignal,
  ): Promise<{ where: string; why: string } | undefined> {
    const { store, workFor, projectRoot } = this.#parts;
    const written = await store.database.read((db) => store.listWrittenFiles(db, id));
    const leftovers = await Leftovers.of(this.#parts, { id });
    const reasons = await workFor(projectRoot).removeWorkTree(root, signal, {
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
    const base = baseBranch !== undefined && (await work.branchTip(baseBranch, signal)) ? baseBranch : undefined;
    if (keepBranch) return "it was asked to stay";
    if (base === undefined) return baseBranchGone(branch, baseBranch);
    // Asked even where it was merged: somebody may have committed to it since.
    if (await work.contains(base, tip, signal)) return undefined;
    const { length } = await work.unmergedCommits(branch, base, maxCommitsCounted, signal);
    return unmergedCommits(branch, base, length, length < maxCommitsCounted);
  }
}

/** Why it could not be; undefined once it is gone. */
async function tryDeleteBranch(
  work: RepositoryWork,
  branch: string,
  tip: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await work.deleteBranch(branch, tip, signal);
    return undefined;
  } catch (error) {
    if (error instanceof ForgeError && error.code === "CONFLICT_ERROR") return error.message;
    throw error;
  }
}
