import type { Lease } from "../../../../commons/leases/index.ts";
import type { Action } from "../../../../kernel/action.ts";
import type { Actor } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { localPrincipal } from "../../../../kernel/principal.ts";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { locateRepository } from "../../../../platform/git/run/locate-repository.ts";
import { isAlive } from "../../../../platform/host/lifecycle.ts";
import type { Advice } from "../../model/advice.ts";
import type { Execution } from "../../model/execution-model.ts";
import { claimKey, type ExecutionDeps, toTaskKey } from "../execution-deps.ts";
import type { CleanupResult, ExecutionCleanup } from "../finish/execution-cleanup.ts";
import { describeKept } from "../finish/messages.ts";
import { joinNames } from "../join-names.ts";
import type { KeyedLock } from "../keyed-lock.ts";
import { createBaseNote } from "../ownership/execution-base.ts";
import { isOfThisProject } from "../ownership/execution-folder.ts";
import { type ExecutionRow, toExecution } from "../rows.ts";
import { recordKilledSetup } from "../setup/record-setup.ts";
import { createOwnActor, type Timeline } from "../timeline/timeline.ts";
import { findQueuedMerge, type IntendedStep, parseIntent } from "./intents.ts";
import { findOrphanedWorktrees } from "./orphaned-worktrees.ts";

const recoveryLease = { name: "executions:recovery", ttlMs: 60_000 };

type StepOf<Kind extends IntendedStep["kind"]> = IntendedStep & { kind: Kind };

/** What became of an interrupted step. `message` is stored; `cleanup` is there if the execution was never started. */
export type RecoveryResult = { message: string; next: Action[]; cleanup?: CleanupResult };

/** Makes git and the store agree again after a process ended, or a call was interrupted, between the two. */
export class ExecutionRecovery {
  readonly #deps: ExecutionDeps;
  readonly #timeline: Timeline;
  readonly #cleanup: ExecutionCleanup;
  readonly #locks: KeyedLock;

  constructor(deps: ExecutionDeps, timeline: Timeline, cleanup: ExecutionCleanup, locks: KeyedLock) {
    this.#deps = deps;
    this.#timeline = timeline;
    this.#cleanup = cleanup;
    this.#locks = locks;
  }

  /** Settles everything that was interrupted; one process at a time. */
  async recover(signal: AbortSignal): Promise<Advice> {
    const { leases, store, projectRoot } = this.#deps;
    const advice: Advice = { warnings: [], next: [] };
    if (!locateRepository(projectRoot)) return advice;
    const held = await this.#takeLease();
    if (!held) return advice;
    try {
      for (const row of await store.database.read((db) => store.listOpen(db))) {
        if (!isOfThisProject(this.#deps, toExecution(row))) continue;
        const { warnings, next } = await this.#recoverOne(row, signal);
        advice.warnings.push(...warnings);
        advice.next.push(...next);
      }
      advice.warnings.push(...(await findOrphanedWorktrees(this.#deps, signal)));
      return advice;
    } finally {
      await leases.release(held);
    }
  }

  /** Undefined if another process is doing it, and is alive. */
  async #takeLease(): Promise<Lease | undefined> {
    const { leases, store } = this.#deps;
    const wanted = { ...recoveryLease, holder: `forge.${process.pid}` };
    const held = await leases.claim(wanted);
    if (held || store.database.engine !== "sqlite") return held;
    const current = await leases.current(recoveryLease.name);
    const pid = Number(/^forge\.(\d{1,10})$/.exec(current?.holder ?? "")?.[1] ?? process.pid);
    if (!current || isAlive(pid)) return undefined;
    await leases.release(current);
    return leases.claim(wanted);
  }

  /** The same for one execution, by anyone who comes across it. */
  async settleAbandoned(row: ExecutionRow, signal: AbortSignal): Promise<boolean> {
    if (findQueuedMerge(row.intent) || !(await this.isAbandoned(row))) return false;
    await this.#locks.run(row.id, () => this.settle(row.id, signal));
    return true;
  }

  /** Finishes, or undoes, what was begun. Undefined if there was nothing to do. */
  async settle(id: string, signal: AbortSignal): Promise<RecoveryResult | undefined> {
    const { store, now } = this.#deps;
    const row = await store.database.read((db) => store.find(db, id));
    if (row?.status !== "running" || row.intent === null || findQueuedMerge(row.intent)) return undefined;
    const by = createOwnActor("forge recover", localPrincipal("forge"), now());
    return this.#settle(by, toExecution(row), parseIntent(row.intent).deed, signal);
  }

  #settle(by: Actor, execution: Execution, step: IntendedStep, signal: AbortSignal): Promise<RecoveryResult> {
    if (step.kind === "begin") return this.#undoStart(by, execution, step, signal);
    if (step.kind === "commit") return this.#settleCommit(by, execution, step, signal);
    if (step.kind === "merge") return this.#settleMerge(by, execution, step, signal);
    if (step.kind === "queue") throw new Error("a merge that waits is not settled");
    return this.#settleEnd(by, execution, step, signal);
  }

  /** Nobody was told about the execution yet, so nothing was done in it: it is undone. */
  async #undoStart(
    by: Actor,
    execution: Execution,
    { previous }: StepOf<"begin">,
    signal: AbortSignal,
  ): Promise<RecoveryResult> {
    const { board, claims, now } = this.#deps;
    const { branch } = execution;
    const reason = `Execution ${execution.id} was not started`;
    const ending = { status: "failed", merged: false, keepBranch: false, reason } as const;
    await recordKilledSetup({ deps: this.#deps, timeline: this.#timeline, by }, execution, signal);
    const cleanup =
      branch === undefined
        ? { kept: [], removed: [], branchDeleted: false }
        : await this.#cleanup.cleanUpGit(execution, ending, signal);
    const message = [
      `${reason}${cleanup.kept.length === 0 ? "; everything was removed" : ""}.`,
      ...describeKept(cleanup.kept),
    ].join(" ");
    await this.#timeline.change(by, execution.id, async (_row, tx) => {
      await board.settleTask(tx, by, toTaskKey(execution), { status: previous });
      await claims.end(tx, claimKey(execution));
      return {
        columns: { status: "failed", stage: "failed", ended_at: now(), holder: null, intent: null },
        events: [{ kind: "recovered", message, details: { kept: cleanup.kept, removed: cleanup.removed } }],
      };
    });
    return { message, next: [], cleanup };
  }

  async #settleCommit(
    by: Actor,
    execution: Execution,
    { head, aside = [] }: StepOf<"commit">,
    signal: AbortSignal,
  ): Promise<RecoveryResult> {
    const tip = await this.#findTip(execution, signal);
    const isMade = tip !== undefined && tip !== head;
    const work = this.#deps.workFor(this.#deps.projectRoot);
    const taken = isMade && aside.length > 0 ? await work.commits.changedNames(head, tip, signal) : [];
    const strays = aside.filter((path) => taken.includes(path));
    const message = isMade
      ? `Commit ${tip} of execution ${execution.id} was made before the interruption; it is recorded now.`
      : `A commit of execution ${execution.id} was interrupted and not made.`;
    const base = isMade ? await createBaseNote(this.#deps, execution, tip, signal) : {};
    await this.#timeline.change(by, execution.id, () => ({
      columns: { intent: null, stage: "implementing", ...(isMade && { commit_id: tip }) },
      events: [
        ...(isMade
          ? [
              {
                kind: "commit" as const,
                message: `committed ${tip}`,
                details: { commit: tip, ...base, files: [], ...(strays.length > 0 && { strays }) },
              },
            ]
          : []),
        { kind: "recovered", message },
      ],
    }));
    return { message, next: [] };
  }

  async #settleMerge(
    by: Actor,
    execution: Execution,
    step: StepOf<"merge">,
    signal: AbortSignal,
  ): Promise<RecoveryResult> {
    const { branch = "", baseBranch = "" } = execution;
    const { isMerged, note, next } = await this.#resumeMerge(baseBranch, step, signal);
    if (isMerged) {
      const reason = `Merged into ${baseBranch}.`;
      const ending = { status: "completed", merged: true, keepBranch: false, reason } as const;
      const ended = await this.#settleEnd(by, execution, { kind: "end", ending }, signal);
      return { ...ended, message: `${ended.message}${note}` };
    }
    const { queued } = step;
    const state = queued ? "waits in the queue again" : "is open";
    const message = `The merge of ${branch} into ${baseBranch} was interrupted and not made. Execution ${execution.id} ${state}, with its commits on ${branch}.${note}`;
    await this.#timeline.change(by, execution.id, () => ({
      columns: queued
        ? { intent: this.#timeline.serializeIntent(queued), stage: "queued" }
        : { intent: null, stage: "implementing" },
      events: [{ kind: "recovered", message }],
    }));
    return { message, next };
  }

  /** Whether it is merged, by now at the latest; and what happened in the folder of the base. */
  async #resumeMerge(
    base: string,
    { tip, move }: StepOf<"merge">,
    signal: AbortSignal,
  ): Promise<{ isMerged: boolean; note: string; next: Action[] }> {
    const work = this.#deps.workFor(this.#deps.projectRoot);
    const unmerged = { isMerged: false, note: "", next: [] };
    if ((await work.branches.tip(base, signal)) === undefined) return unmerged;
    if (await work.branches.contains(base, tip, signal)) return { ...unmerged, isMerged: true };
    if (!move) return unmerged;
    try {
      const trusted = await this.#deps.trustedWork(this.#deps.projectRoot, signal);
      const resumed = await trusted.work.merges.resume(base, move, signal);
      if (resumed.kind === "none") return unmerged;
      if (resumed.kind === "merged")
        return { isMerged: true, note: ` Its interrupted merge into ${base} was finished.`, next: [] };
      const note = ` Some of its files are in the folder of ${base} already, and ${joinNames(resumed.files)} was changed there since.`;
      const why = "to continue the merge, after these changes are committed or stashed";
      return {
        isMerged: false,
        note,
        next: [{ tool: "forge_commit_changes", input: { message: "MESSAGE" }, why }],
      };
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
      return { ...unmerged, note: ` Some of its files may be in the folder of ${base}. ${error.message}` };
    }
  }

  async #settleEnd(
    by: Actor,
    execution: Execution,
    { ending }: StepOf<"end">,
    signal: AbortSignal,
  ): Promise<RecoveryResult> {
    const cleanup = await this.#cleanup.cleanUpGit(execution, ending, signal);
    await this.#cleanup.settleStore(by, execution.id, ending, cleanup);
    const message = `Execution ${execution.id} was interrupted while finishing; it is ${ending.status} now.`;
    await this.#timeline.change(by, execution.id, () => ({ events: [{ kind: "recovered", message }] }));
    return { message, next: [] };
  }

  async #recoverOne(row: ExecutionRow, signal: AbortSignal): Promise<Advice> {
    if (row.intent === null) return this.#findMissing(row, signal);
    if (findQueuedMerge(row.intent) || !(await this.isAbandoned(row))) return { warnings: [], next: [] };
    try {
      const settled = await this.#locks.run(row.id, () => this.settle(row.id, signal));
      return { warnings: settled === undefined ? [] : [settled.message], next: settled?.next ?? [] };
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      const warning = `Execution ${row.id} was interrupted and could not be recovered. ${error.message}`;
      return { warnings: [warning], next: [...(error.next ?? [])] };
    }
  }

  /** For an execution that nobody works in. It stays open: what is missing may come back, and its owner may cancel it. */
  async #findMissing(row: ExecutionRow, signal: AbortSignal): Promise<Advice> {
    const { claims, store } = this.#deps;
    const execution = toExecution(row);
    const claim = claimKey(execution);
    if ((await store.database.read((db) => claims.on(db, [claim]))).has(claim)) return { warnings: [], next: [] };
    const missing = [
      ...(entryAt(execution.root) ? [] : [`its folder ${execution.root}`]),
      ...((await this.#findTip(execution, signal)) === undefined ? [`its branch ${execution.branch}`] : []),
    ];
    if (missing.length === 0) return { warnings: [], next: [] };
    const gone = `${missing.join(" and ")} ${missing.length === 1 ? "no longer exists" : "no longer exist"}`;
    return {
      warnings: [`Execution ${execution.id} of ${claim} is open, but ${gone}.`],
      next: [{ tool: "forge_cancel_execution", input: { execution_id: execution.id }, why: "to end it" }],
    };
  }

  async #findTip(execution: Execution, signal: AbortSignal): Promise<string | undefined> {
    const work = this.#deps.workFor(this.#deps.projectRoot);
    const { branch, baseBranch } = execution;
    if (branch !== undefined) return work.branches.tip(branch, signal);
    return baseBranch === undefined ? (await work.head(signal)).commit : work.branches.tip(baseBranch, signal);
  }

  /**
   * Whether the process that had the intent is gone. A SQLite file is used on one machine, so there the process can be looked for;
   * otherwise, and if its number belongs to another process by now, the claim decides.
   */
  async isAbandoned(row: ExecutionRow): Promise<boolean> {
    if (row.intent === null) return false;
    const { pid, mark } = parseIntent(row.intent);
    if (mark === this.#timeline.mark) return !this.#locks.isBusy(row.id);
    const { store, claims } = this.#deps;
    if (store.database.engine === "sqlite" && pid !== process.pid && !isAlive(pid)) return true;
    const claim = claimKey({ blockId: row.block_id, taskId: row.task_id });
    return !(await store.database.read((db) => claims.on(db, [claim]))).has(claim);
  }
}

/** The signal of an interrupted call is of no use; what was begun is still settled, within this time. */
export function createRecoverySignal(): AbortSignal {
  return AbortSignal.timeout(60_000);
}
