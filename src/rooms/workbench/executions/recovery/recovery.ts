import type { Lease } from "../../../../commons/leases/index.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { localPrincipal } from "../../../../kernel/principal.ts";
import { entryAt } from "../../../../platform/files/entry.ts";
import { locateRepository } from "../../../../platform/git/run/locate.ts";
import { isAlive } from "../../../../platform/host/lifecycle.ts";
import type { Execution } from "../../model/execution-model.ts";
import type { Actor } from "../../model/services.ts";
import { claimKey, type ExecutionDeps, toTaskKey } from "../deps.ts";
import { joinNames } from "../errors.ts";
import type { CleanupResult, ExecutionCleanup } from "../finish/cleanup.ts";
import { describeKept } from "../finish/messages.ts";
import type { KeyedLock } from "../keyed-lock.ts";
import { createBaseNote } from "../ownership/execution-base.ts";
import { isOfThisProject } from "../ownership/execution-folder.ts";
import { type ExecutionRow, toExecution } from "../rows.ts";
import { recordKilledSetup } from "../setup/record.ts";
import { createOwnActor, type Timeline } from "../timeline/timeline.ts";
import { type IntendedStep, type Intent, parseIntent } from "./intents.ts";
import { LeftWorkTrees } from "./orphaned-worktrees.ts";

const recoveryLease = { name: "executions:recovery", ttlMs: 60_000 };

/** What came of something that was cut off, for people; and of its branch and folder, where it was not begun. */
export type RecoveryResult = { words: string; tidied?: CleanupResult };

/** Makes git and store agree again where a process ended, or a call was cut off, between the two. */
export class ExecutionRecovery {
  readonly #parts: ExecutionDeps;
  readonly #journal: Timeline;
  readonly #finishing: ExecutionCleanup;
  readonly #turns: KeyedLock;

  constructor(parts: ExecutionDeps, journal: Timeline, finishing: ExecutionCleanup, turns: KeyedLock) {
    this.#parts = parts;
    this.#journal = journal;
    this.#finishing = finishing;
    this.#turns = turns;
  }

  /** Sees to everything that was left; one process at a time. What it found, in words. */
  async recover(signal: AbortSignal): Promise<string[]> {
    const { leases, store, projectRoot } = this.#parts;
    if (!locateRepository(projectRoot)) return [];
    const held = await this.#claim();
    if (!held) return [];
    try {
      const words: string[] = [];
      for (const row of await store.database.read((db) => store.listOpen(db))) {
        if (!isOfThisProject(this.#parts, toExecution(row))) continue;
        words.push(...(await this.#seeTo(row, signal)));
      }
      const left = new LeftWorkTrees(this.#parts);
      return [...words, ...(await left.find(signal))];
    } finally {
      await leases.release(held);
    }
  }

  /** Undefined where another process is at it, and alive. */
  async #claim(): Promise<Lease | undefined> {
    const { leases, store } = this.#parts;
    const wanted = { ...recoveryLease, holder: `forge.${process.pid}` };
    const held = await leases.claim(wanted);
    if (held || store.database.engine !== "sqlite") return held;
    const current = await leases.current(recoveryLease.name);
    const pid = Number(/^forge\.(\d{1,10})$/.exec(current?.holder ?? "")?.[1] ?? process.pid);
    if (!current || isAlive(pid)) return undefined;
    await leases.release(current);
    return leases.claim(wanted);
  }

  /** The same for one execution, by whoever comes across it. */
  async settleAbandoned(row: ExecutionRow, signal: AbortSignal): Promise<boolean> {
    if (row.intent === null || !(await this.#isAbandoned(row, parseIntent(row.intent)))) return false;
    await this.#turns.run(row.id, () => this.settle(row.id, signal));
    return true;
  }

  /** Does, or takes back, what was begun. What came of it; nothing where there was nothing to do. */
  async settle(id: string, signal: AbortSignal): Promise<RecoveryResult | undefined> {
    const { store, now } = this.#parts;
    const row = await store.database.read((db) => store.find(db, id));
    if (row?.status !== "running" || row.intent === null) return undefined;
    const by = createOwnActor("forge recover", localPrincipal("forge"), now());
    return this.#settle(by, toExecution(row), parseIntent(row.intent).deed, signal);
  }

  async #settle(by: Actor, execution: Execution, deed: IntendedStep, signal: AbortSignal): Promise<RecoveryResult> {
    if (deed.kind === "begin") return this.#unbegin(by, execution, deed, signal);
    if (deed.kind === "commit") return { words: await this.#afterCommit(by, execution, deed, signal) };
    if (deed.kind === "merge") return { words: await this.#afterMerge(by, execution, deed, signal) };
    return { words: await this.#afterEnd(by, execution, deed, signal) };
  }

  /** Nobody was told of it yet, so nothing was done in it: it is as if it had not been asked for. */
  async #unbegin(
    by: Actor,
    execution: Execution,
    { previous }: IntendedStep & { kind: "begin" },
    signal: AbortSignal,
  ): Promise<RecoveryResult> {
    const { board, claims, now } = this.#parts;
    const { branch } = execution;
    const message = `Execution ${execution.id} was not begun`;
    const ending = { status: "failed", merged: false, keepBranch: false, reason: message } as const;
    await recordKilledSetup({ parts: this.#parts, journal: this.#journal, by }, execution, signal);
    const tidied =
      branch === undefined
        ? { kept: [], removed: [], branchDeleted: false }
        : await this.#finishing.cleanUpGit(execution, ending, signal);
    const words = [
      `${message}${tidied.kept.length === 0 ? "; nothing of it is left" : ""}.`,
      ...describeKept(tidied.kept),
    ].join(" ");
    await this.#journal.change(by, execution.id, async (_row, tx) => {
      await board.settleTask(tx, by, toTaskKey(execution), { status: previous });
      await claims.end(tx, claimKey(execution));
      return {
        columns: { status: "failed", stage: "failed", ended_at: now(), holder: null, serializeIntent: null },
        events: [{ kind: "recovered", message: words, details: { kept: tidied.kept, removed: tidied.removed } }],
      };
    });
    return { words, tidied };
  }

  async #afterCommit(
    by: Actor,
    execution: Execution,
    { head, aside = [] }: IntendedStep & { kind: "commit" },
    signal: AbortSignal,
  ): Promise<string> {
    const tip = await this.#tipOf(execution, signal);
    const isMade = tip !== undefined && tip !== head;
    const work = this.#parts.workFor(this.#parts.projectRoot);
    const taken = isMade && aside.length > 0 ? await work.changedBetween(head, tip, signal) : [];
    const strays = aside.filter((path) => taken.includes(path));
    const words = isMade
      ? `The commit ${tip} of execution ${execution.id} was made, and is noted now.`
      : `A commit of execution ${execution.id} was begun and not made.`;
    const base = isMade ? await createBaseNote(this.#parts, execution, tip, signal) : {};
    await this.#journal.change(by, execution.id, () => ({
      columns: { serializeIntent: null, stage: "implementing", ...(isMade && { commit_id: tip }) },
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
        { kind: "recovered", message: words },
      ],
    }));
    return words;
  }

  async #afterMerge(
    by: Actor,
    execution: Execution,
    deed: IntendedStep & { kind: "merge" },
    signal: AbortSignal,
  ): Promise<string> {
    const { branch = "", baseBranch = "" } = execution;
    const { isMerged, left } = await this.#resumeMerge(baseBranch, deed, signal);
    if (isMerged) {
      const reason = `Merged into ${baseBranch}.`;
      const ending = { status: "completed", merged: true, keepBranch: false, reason } as const;
      return `${await this.#afterEnd(by, execution, { kind: "end", ending }, signal)}${left}`;
    }
    const words = `The merge of ${branch} into ${baseBranch} was begun and not made; execution ${execution.id} is open, with its commits on ${branch}.${left}`;
    await this.#journal.change(by, execution.id, () => ({
      columns: { serializeIntent: null, stage: "implementing" },
      events: [{ kind: "recovered", message: words }],
    }));
    return words;
  }

  /** Whether it is merged, by now at the latest; and what became of it in the base's folder, in words. */
  async #resumeMerge(
    base: string,
    { tip, move }: IntendedStep & { kind: "merge" },
    signal: AbortSignal,
  ): Promise<{ isMerged: boolean; left: string }> {
    const work = this.#parts.workFor(this.#parts.projectRoot);
    if ((await work.branchTip(base, signal)) === undefined) return { isMerged: false, left: "" };
    if (await work.contains(base, tip, signal)) return { isMerged: true, left: "" };
    if (!move) return { isMerged: false, left: "" };
    const again = "forge_commit_changes goes on with it.";
    try {
      const trusted = await this.#parts.trustedWork(this.#parts.projectRoot, signal);
      const resumed = await trusted.work.resumeMerge(base, move, signal);
      if (resumed.kind === "none") return { isMerged: false, left: "" };
      if (resumed.kind === "merged") return { isMerged: true, left: ` Its merge into ${base}, cut off, was finished.` };
      const what = `Some of its files are in the folder of ${base} already, and ${joinNames(resumed.files)} was changed there since`;
      return { isMerged: false, left: ` ${what}; once that is out of the way, ${again}` };
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
      return { isMerged: false, left: ` Files of it may be in the folder of ${base}. ${error.message}` };
    }
  }

  async #afterEnd(
    by: Actor,
    execution: Execution,
    { ending }: IntendedStep & { kind: "end" },
    signal: AbortSignal,
  ): Promise<string> {
    const tidied = await this.#finishing.cleanUpGit(execution, ending, signal);
    await this.#finishing.settleStore(by, execution.id, ending, tidied);
    const words = `Execution ${execution.id} was ending and is ${ending.status} now.`;
    await this.#journal.change(by, execution.id, () => ({ events: [{ kind: "recovered", message: words }] }));
    return words;
  }

  async #seeTo(row: ExecutionRow, signal: AbortSignal): Promise<string[]> {
    if (row.intent === null) return this.#whatIsMissing(row, signal);
    if (!(await this.#isAbandoned(row, parseIntent(row.intent)))) return [];
    try {
      const settled = await this.#turns.run(row.id, () => this.settle(row.id, signal));
      return settled === undefined ? [] : [settled.words];
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      return [`Execution ${row.id} was cut off and could not be seen to. ${error.message}`];
    }
  }

  /** Of one that nobody is at. It stays open: what is missing may come back, and cancelling it is its people's. */
  async #whatIsMissing(row: ExecutionRow, signal: AbortSignal): Promise<string[]> {
    const { claims, store } = this.#parts;
    const execution = toExecution(row);
    const claim = claimKey(execution);
    if ((await store.database.read((db) => claims.on(db, [claim]))).has(claim)) return [];
    const missing = [
      ...(entryAt(execution.root) ? [] : [`its folder ${execution.root}`]),
      ...((await this.#tipOf(execution, signal)) === undefined ? [`its branch ${execution.branch}`] : []),
    ];
    if (missing.length === 0) return [];
    return [
      `Execution ${execution.id} of ${claim} is open, but ${missing.join(" and ")} is gone: forge_cancel_execution ends it.`,
    ];
  }

  async #tipOf(execution: Execution, signal: AbortSignal): Promise<string | undefined> {
    const work = this.#parts.workFor(this.#parts.projectRoot);
    const { branch, baseBranch } = execution;
    if (branch !== undefined) return work.branchTip(branch, signal);
    return baseBranch === undefined ? (await work.head(signal)).commit : work.branchTip(baseBranch, signal);
  }

  /**
   * Whether whoever meant to do it is gone. A SQLite file has one machine, so there the process can be looked for; elsewhere,
   * and where its number means another by now, the claim tells.
   */
  async #isAbandoned(row: ExecutionRow, { pid, mark }: Intent): Promise<boolean> {
    if (mark === this.#journal.mark) return !this.#turns.isBusy(row.id);
    const { store, claims } = this.#parts;
    if (store.database.engine === "sqlite" && pid !== process.pid && !isAlive(pid)) return true;
    const claim = claimKey({ blockId: row.block_id, taskId: row.task_id });
    return !(await store.database.read((db) => claims.on(db, [claim]))).has(claim);
  }
}

/** After a call was cut off its signal is of no use; what was begun is still seen to, for so long at most. */
export function createRecoverySignal(): AbortSignal {
  return AbortSignal.timeout(60_000);
}
