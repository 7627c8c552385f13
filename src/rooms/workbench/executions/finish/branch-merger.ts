import { HeldLease, type Lease } from "../../../../commons/leases/index.ts";
import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { Action } from "../../../../kernel/action.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { BaseMove, MergeCandidate } from "../../../../platform/git/work-model.ts";
import type { Execution } from "../../model/execution-model.ts";
import { createTrailers } from "../commit/trailers.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { joinNames } from "../join-names.ts";
import type { IntendedStep, QueuedMerge } from "../recovery/intents.ts";
import { reportStage } from "../timeline/report-progress.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { CandidateVerdict } from "./candidate-tests.ts";
import { mergeConflict } from "./errors.ts";
import type { CleanupResult, ExecutionCleanup } from "./execution-cleanup.ts";

/** How long a person's command waits for other merges into the same repository. */
const maxWaitMs = 50 * 60_000;
const leaseMs = 20_000;
const whyUntested = "run_tests is off, so nothing shows that what was merged works";

export type MergeResult =
  | {
      kind: "merged";
      commit: string;
      fastForward: boolean;
      cleanup: CleanupResult;
      execution: Execution;
      /** The test run on what was merged, if it was tested. */
      run?: TestRun | undefined;
    }
  /** Others had their turn for longer than the caller can wait; nothing was changed. */
  | { kind: "busy" }
  /** Nothing was changed. `next`: what to do while the execution is open. */
  | { kind: "kept"; why: string; next: Action[]; run?: TestRun | undefined };

type MergeOrder = {
  commit: string;
  /** As it was put into the queue, whose turn it is. */
  queued: QueuedMerge | undefined;
};

/** Says whether the base may be moved to this. */
export type CandidateCheck = (candidate: MergeCandidate) => Promise<CandidateVerdict>;

/** How often a merge is prepared again because someone moved the base without Forge. */
const maxTries = 5;

/** Merges the branch of an execution into its base; one merge at a time in a repository. */
export class BranchMerger {
  readonly #deps: ExecutionDeps;
  readonly #timeline: Timeline;
  readonly #cleanup: ExecutionCleanup;

  constructor(deps: ExecutionDeps, timeline: Timeline, cleanup: ExecutionCleanup) {
    this.#deps = deps;
    this.#timeline = timeline;
    this.#cleanup = cleanup;
  }

  /**
   * Merges this commit, which the branch must still be at: nothing is merged that was not checked before. Throws CONFLICT_ERROR
   * with the files that both sides changed; both branches then stay as they were.
   */
  async merge(
    call: Call,
    execution: Execution,
    { commit, queued }: MergeOrder,
    check?: CandidateCheck,
  ): Promise<MergeResult> {
    const { branch, baseBranch } = execution;
    if (branch === undefined) return keep("the execution has no branch of its own");
    if (baseBranch === undefined) return keep("HEAD was detached when the task was started");
    reportStage(call, execution, 0.71, "merging", `Waiting to merge ${branch} into ${baseBranch}`);
    const work = async () => {
      const order = { branch, base: baseBranch, tip: commit, queued };
      for (let left = maxTries; left > 0; left--) {
        const result = await this.#merge(call, execution, order, check);
        if (result !== "stale") return result;
      }
      return keep(`${baseBranch} moved every time the merge was tested`, commitAgain("to try again"));
    };
    if (queued) return work();
    // A person sees that it waits and can stop it; an assistant's client would give up.
    const waitMs = call.principal.atKeyboard ? maxWaitMs : this.#deps.mergeWaitMs;
    return (await this.inTurn(waitMs, call.signal, work)) ?? { kind: "busy" };
  }

  /** Whether the base has moved since the branch was made, so that the merge is more than the branch. */
  async hasMovedBase({ branch, baseBranch }: Execution, signal: AbortSignal): Promise<boolean> {
    if (branch === undefined || baseBranch === undefined) return false;
    const { merges, branches } = this.#deps.workFor(this.#deps.projectRoot);
    if ((await branches.tip(branch, signal)) === undefined || (await branches.tip(baseBranch, signal)) === undefined)
      return false;
    return (await merges.plan(baseBranch, branch, signal)).kind === "clean";
  }

  /** One at a time in a repository, in the order in which they came; undefined if that takes longer than `waitMs`. */
  async inTurn<T>(waitMs: number, signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    const { leases } = this.#deps;
    const lease = await this.#waitForTurn(waitMs, signal);
    if (!lease) return undefined;
    // The wait may have been long: the lease counts from now on.
    const renewedAt = performance.now();
    await leases.renew(lease);
    const held = new HeldLease(leases, lease, renewedAt);
    try {
      return await work();
    } finally {
      await held.release();
    }
  }

  async #waitForTurn(waitMs: number, signal: AbortSignal): Promise<Lease | undefined> {
    const { leases, git, projectRoot } = this.#deps;
    const { commonDir } = git.open(projectRoot).location;
    const claim = { name: `merge:${commonDir}`, holder: `forge.${process.pid}`, ttlMs: leaseMs };
    try {
      return await leases.wait(claim, { waitMs, signal });
    } catch (error) {
      if (error instanceof ForgeError && error.code === "CONFLICT_ERROR") return undefined;
      throw error;
    }
  }

  async #merge(
    call: Call,
    execution: Execution,
    { branch, base, tip, queued }: { branch: string; base: string; tip: string; queued: QueuedMerge | undefined },
    check: CandidateCheck | undefined,
  ): Promise<MergeResult | "stale"> {
    const { signal } = call;
    const { work } = await this.#deps.trustedWork(this.#deps.projectRoot, signal);
    const found = await work.branches.tip(branch, signal);
    if (found === undefined) return branchMissing(branch, tip);
    if (found !== tip) return branchMoved(branch, tip, found);
    if ((await work.branches.tip(base, signal)) === undefined) return baseMissing(execution, branch, base);
    const { guard } = this.#deps;
    const message = `Merge ${branch}: ${guard.withoutSecrets(execution.taskName).slice(0, 200)}`;
    const order = { base, branch, tip, message, trailers: createTrailers(guard, execution) };
    const prepared = await work.merges.prepare(order, signal);
    if (prepared.kind === "conflict") throw mergeConflict(execution, prepared.files);
    if (prepared.kind === "moved") return branchMoved(branch, tip, prepared.tip);
    const candidate = prepared.kind === "candidate" ? prepared.candidate : undefined;
    const { run, blocker } = (candidate && (await check?.(candidate))) ?? {};
    if (blocker) return { kind: "kept", ...blocker, run };
    reportStage(call, execution, 0.95, "merging", `Merging ${branch} into ${base}`);
    const intend = (step: IntendedStep) => this.#timeline.recordIntent(call, execution.id, step, "merging");
    const step = { kind: "merge", tip, ...(queued && { queued }) } as const;
    await intend(step);
    const beforeMove = async (move: BaseMove) => void (await intend({ ...step, move }));
    // Where nothing was left to merge nothing was tested: if the base is moved back now, that is looked at again.
    const made =
      candidate ?? (prepared.kind === "nothing" ? { base: prepared.commit, commit: prepared.commit } : undefined);
    const outcome = await work.merges.merge({ ...order, beforeMove, ...(made && { candidate: made }) }, signal);
    if (outcome.kind === "conflict") throw mergeConflict(execution, outcome.files);
    if (outcome.kind !== "merged") {
      await this.#timeline.change(call, execution.id, () => ({
        columns: queued
          ? { intent: this.#timeline.serializeIntent(queued), stage: "queued" }
          : { intent: null, stage: "implementing" },
      }));
      if (outcome.kind === "stale") return "stale";
      if (outcome.kind === "moved") return branchMoved(branch, tip, outcome.tip);
      const trees = await work.workTrees.list(signal);
      return baseDirty(base, trees.find((tree) => tree.branch === base)?.path, outcome.files);
    }
    const { commit, fastForward } = outcome;
    await this.#timeline.change(call, execution.id, () => ({
      events: [
        {
          kind: "merged",
          message: `merged into ${base}`,
          details: {
            into: base,
            commit,
            fastForward,
            tested: run?.id ?? false,
            ...(!run && { untested: whyUntested }),
          },
        },
      ],
    }));
    const reason = `Merged into ${base}.`;
    const ending = { status: "completed", merged: true, keepBranch: false, reason } as const;
    const { execution: ended, ...cleanup } = await this.#cleanup.end(call, execution, ending, signal);
    return { kind: "merged", commit, fastForward, cleanup, execution: ended, run };
  }
}

function keep(why: string, ...next: Action[]): MergeResult {
  return { kind: "kept", why, next };
}

function commitAgain(why: string): Action {
  return { tool: "forge_commit_changes", input: { message: "MESSAGE" }, why };
}

function branchMissing(branch: string, tip: string): MergeResult {
  return keep(
    `the branch ${branch} no longer exists`,
    `Create it again with \`git branch ${branch} ${tip.slice(0, 12)}\`.`,
    commitAgain("afterwards"),
  );
}

function branchMoved(branch: string, tip: string, found: string): MergeResult {
  return keep(
    `${branch} has moved from ${tip.slice(0, 12)} to ${found.slice(0, 12)} in the meantime, which was not checked`,
    commitAgain("to check and merge it"),
  );
}

function baseMissing({ blockId, taskId }: Execution, branch: string, base: string): MergeResult {
  return keep(
    `its base branch ${base} no longer exists`,
    `If ${base} was renamed, give it its old name again.`,
    commitAgain("afterwards, to merge"),
    {
      tool: "forge_execute_task",
      input: { block_id: blockId, task_id: taskId, options: { finish: "branch" } },
      why: `to complete the task without a merge; then commit again. ${branch} stays for the user to merge`,
    },
  );
}

/** `folder`: where the base is checked out. */
function baseDirty(base: string, folder: string | undefined, files: readonly string[]): MergeResult {
  const where = folder === undefined ? "" : ` in ${folder}`;
  return keep(
    `${base} is checked out${where} with uncommitted changes in the same files: ${joinNames(files)}`,
    "The user commits or stashes these changes there.",
    commitAgain("afterwards"),
  );
}
