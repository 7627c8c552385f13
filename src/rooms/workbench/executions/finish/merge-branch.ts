import { HeldLease } from "../../../../commons/leases/index.ts";
import type { Call } from "../../../../kernel/call.ts";
import type { Move } from "../../../../platform/git/work-model.ts";
import type { Execution } from "../../model/execution-model.ts";
import { createTrailers } from "../commit/trailers.ts";
import type { ExecutionDeps } from "../deps.ts";
import { joinNames } from "../errors.ts";
import type { IntendedStep } from "../recovery/intents.ts";
import { reportStage } from "../timeline/progress.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { CleanupResult, ExecutionCleanup } from "./cleanup.ts";
import { mergeConflict } from "./merge-conflict.ts";

/** How long one waits for those who merge into the same repository just now. */
const waitMs = 10 * 60_000;
const leaseMs = 20_000;

export type MergeResult =
  | { kind: "merged"; commit: string; fastForward: boolean; tidied: CleanupResult; execution: Execution }
  /** Nothing was done and nothing is wrong: why, for people, and what they can do while the execution is open. */
  | { kind: "kept"; why: string; next?: string };

/** Brings an execution's branch to its base; one at a time in a repository. */
export class BranchMerger {
  readonly #parts: ExecutionDeps;
  readonly #journal: Timeline;
  readonly #finishing: ExecutionCleanup;

  constructor(parts: ExecutionDeps, journal: Timeline, finishing: ExecutionCleanup) {
    this.#parts = parts;
    this.#journal = journal;
    this.#finishing = finishing;
  }

  /**
   * Merges this commit, which the branch must still be at: nothing goes in that was not seen before. Throws CONFLICT_ERROR with
   * the files where both sides have changed the same; both stay as they were then.
   */
  async merge(call: Call, execution: Execution, commit: string): Promise<MergeResult> {
    const { branch, baseBranch } = execution;
    if (branch === undefined) return { kind: "kept", why: "there is no branch of its own" };
    if (baseBranch === undefined) return { kind: "kept", why: "HEAD was on no branch when it was begun" };
    reportStage(call, execution, 0.8, "merging", `Merging ${branch} into ${baseBranch}`);
    return this.#inTurn(call, () => this.#merge(call, execution, { branch, base: baseBranch, tip: commit }));
  }

  async #inTurn<T>(call: Call, work: () => Promise<T>): Promise<T> {
    const { leases, git, projectRoot } = this.#parts;
    const { commonDir } = git.open(projectRoot).location;
    const claim = { name: `merge:${commonDir}`, holder: `forge.${process.pid}`, ttlMs: leaseMs };
    const lease = await leases.wait(claim, { waitMs, signal: call.signal });
    // The wait may have been long: what counts is from now on.
    const renewedAt = performance.now();
    await leases.renew(lease);
    const held = new HeldLease(leases, lease, renewedAt);
    try {
      return await work();
    } finally {
      await held.release();
    }
  }

  async #merge(
    call: Call,
    execution: Execution,
    { branch, base, tip }: { branch: string; base: string; tip: string },
  ): Promise<MergeResult> {
    const { signal } = call;
    const { work } = await this.#parts.trustedWork(this.#parts.projectRoot, signal);
    const found = await work.branchTip(branch, signal);
    if (found === undefined)
      return {
        kind: "kept",
        why: `the branch ${branch} is not there any more`,
        next: `A person makes it again (\`git branch ${branch} ${tip.slice(0, 12)}\`); then call forge_commit_changes again.`,
      };
    if (found !== tip) return branchMoved(branch, tip, found);
    if ((await work.branchTip(base, signal)) === undefined) return baseMissing(branch, base);
    const plan = await work.planMerge(base, branch, signal);
    if (plan.kind === "conflict") throw mergeConflict(execution, plan.files);
    const intend = (deed: IntendedStep) => this.#journal.recordIntent(call, execution.id, deed, "merging");
    await intend({ kind: "merge", tip });
    const message = `Merge ${branch}: ${execution.taskName.slice(0, 200)}`;
    const beforeMove = async (move: Move) => void (await intend({ kind: "merge", tip, move }));
    const order = { base, branch, tip, message, trailers: createTrailers(execution), beforeMove };
    const outcome = await work.merge(order, signal);
    if (outcome.kind === "conflict") throw mergeConflict(execution, outcome.files);
    if (outcome.kind !== "merged") {
      await this.#journal.change(call, execution.id, () => ({
        columns: { serializeIntent: null, stage: "implementing" },
      }));
      if (outcome.kind === "moved") return branchMoved(branch, tip, outcome.tip);
      const trees = await work.workTrees(signal);
      return baseDirty(base, trees.find((tree) => tree.branch === base)?.path, outcome.files);
    }
    const { commit, fastForward } = outcome;
    await this.#journal.change(call, execution.id, () => ({
      events: [{ kind: "merged", message: `merged into ${base}`, details: { into: base, commit, fastForward } }],
    }));
    const reason = `Merged into ${base}.`;
    const ending = { status: "completed", merged: true, keepBranch: false, reason } as const;
    const { execution: ended, ...tidied } = await this.#finishing.end(call, execution, ending, signal);
    return { kind: "merged", commit, fastForward, tidied, execution: ended };
  }
}

function branchMoved(branch: string, tip: string, found: string): MergeResult {
  const why = `${branch} has moved on from ${tip.slice(0, 12)} to ${found.slice(0, 12)} meanwhile, which nobody has looked at yet`;
  return { kind: "kept", why, next: "Call forge_commit_changes again." };
}

function baseMissing(branch: string, base: string): MergeResult {
  return {
    kind: "kept",
    why: `the branch ${base}, which it began from, is not there any more`,
    next: `A person gives its branch that name again, and forge_commit_changes merges; or forge_execute_task again with \`options: {finish: "branch"}\`, then forge_commit_changes: the task is completed, and ${branch} stays for a person to merge.`,
  };
}

/** `folder`: where the base is checked out. */
function baseDirty(base: string, folder: string | undefined, files: readonly string[]): MergeResult {
  return {
    kind: "kept",
    why: `${base} is checked out${folder === undefined ? "" : ` in ${folder}`} with changes that are not committed, in the same files: ${joinNames(files)}`,
    next: "A person commits or stashes these there; then call forge_commit_changes again.",
  };
}
