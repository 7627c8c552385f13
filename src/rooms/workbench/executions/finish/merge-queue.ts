import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { Execution, Issue } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import type { KeyedLock } from "../keyed-lock.ts";
import { createRecoverySignal, type ExecutionRecovery } from "../recovery/execution-recovery.ts";
import { findQueuedMerge, parseIntent, type QueuedMerge } from "../recovery/intents.ts";
import { type ExecutionRow, toExecution } from "../rows.ts";
import { createOwnActor, type Timeline } from "../timeline/timeline.ts";
import type { BranchMerger } from "./branch-merger.ts";
import type { CompletionResult } from "./task-completion.ts";

/** How long one attempt waits for its turn, before it looks whether there is still something to do. */
const turnMs = 10 * 60_000;
/** What has begun when the program ends may take this long; afterwards it is undone, and done again by the next process. */
const graceMs = 5_000;

type QueueServices = {
  timeline: Timeline;
  merger: Pick<BranchMerger, "inTurn">;
  recovery: Pick<ExecutionRecovery, "isAbandoned" | "settle">;
  locks: KeyedLock;
  /** Merges it and ends the execution, or says why not. */
  complete(
    call: Call,
    execution: Execution,
    queued: QueuedMerge,
    tested: TestRun | undefined,
  ): Promise<CompletionResult>;
};

type QueueEntry = { row: ExecutionRow; queued: QueuedMerge };

/**
 * Commits that wait for their turn to be merged, in the order in which they came. The queue is in the store: whichever process is
 * there when it is their turn merges them, if the one that put them there is gone.
 */
export class MergeQueue {
  readonly #deps: ExecutionDeps;
  readonly #services: QueueServices;
  readonly #waiting = new AbortController();
  readonly #ending = new AbortController();
  #work: Promise<void> | undefined;

  constructor(deps: ExecutionDeps, services: QueueServices) {
    this.#deps = deps;
    this.#services = services;
  }

  /** A new commit, or the end of the execution, takes the place of the entry. */
  async add(
    { principal, record }: Pick<Call, "principal" | "record">,
    execution: Execution,
    { tip, run }: { tip: string; run: string | undefined },
  ): Promise<Execution> {
    const { timeline } = this.#services;
    const { kind, id, name, agent, instance } = principal;
    const by = { kind, id, name, ...(agent !== undefined && { agent }), ...(instance !== undefined && { instance }) };
    const queued: QueuedMerge = { kind: "queue", tip, at: this.#deps.now(), run, by };
    const message = `${tip.slice(0, 12)} waits for its turn to be merged into ${execution.baseBranch}`;
    const waiting = await timeline.change({ principal, record }, execution.id, () => ({
      columns: { intent: timeline.serializeIntent(queued), stage: "queued" },
      events: [{ kind: "queued", message, details: { commit: tip, into: execution.baseBranch } }],
    }));
    this.start();
    return waiting;
  }

  /** Works on the queue as long as there is something in it that no other process works on. */
  start(): void {
    if (this.#waiting.signal.aborted) return;
    this.#work ??= this.#drain().finally(() => {
      this.#work = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#waiting.abort();
    const timer = setTimeout(() => this.#ending.abort(), graceMs);
    await this.#work;
    clearTimeout(timer);
  }

  /** Those who wait, first first. */
  async list(): Promise<QueueEntry[]> {
    const { store } = this.#deps;
    const open = await store.database.read((db) => store.listOpen(db));
    return toEntries(open);
  }

  async #drain(): Promise<void> {
    const seen = new Set<string>();
    for (;;) {
      const id = this.#waiting.signal.aborted ? undefined : await this.#findNext(seen);
      if (id === undefined) return;
      const outcome = await this.#takeTurn(id);
      if (outcome === "done") seen.add(id);
      // Its own assistant is at it: once that call has ended there may be nothing left to do.
      if (outcome === "busy") await this.#services.locks.run(id, async () => undefined);
    }
  }

  /** The first of this process, or of one that is gone. */
  async #findNext(seen: ReadonlySet<string>): Promise<string | undefined> {
    const { recovery, timeline } = this.#services;
    for (const { row } of await this.list()) {
      if (seen.has(row.id)) continue;
      const isOwn = row.intent !== null && parseIntent(row.intent).mark === timeline.mark;
      if (isOwn || (await recovery.isAbandoned(row))) return row.id;
    }
    return undefined;
  }

  async #takeTurn(id: string): Promise<"done" | "busy" | undefined> {
    const { merger, locks } = this.#services;
    try {
      return await merger.inTurn(turnMs, this.#waiting.signal, async () =>
        locks.isBusy(id) ? "busy" : locks.run(id, () => this.#mergeNow(id, this.#ending.signal)),
      );
    } catch (error) {
      const isEnd = error instanceof ForgeError && error.code === "CANCELLED";
      if (!isEnd) this.#deps.log?.("warning", "a queued merge could not be made", { execution: id, error });
      return "done";
    }
  }

  /** Looked up again: it may have been cancelled, merged or replaced while it waited. */
  async #mergeNow(id: string, signal: AbortSignal): Promise<"done"> {
    const { store, tests, now } = this.#deps;
    const { complete, recovery } = this.#services;
    const row = await store.database.read((db) => store.find(db, id));
    const queued = row && findQueuedMerge(row.intent);
    if (row?.status !== "running" || !queued) return "done";
    const actor = createOwnActor("forge merge", { ...queued.by, scopes: "all" }, now());
    const call = createOwnCall(actor, signal);
    try {
      const tested = queued.run === undefined ? undefined : await tests.find(queued.run);
      const result = await complete(call, toExecution(row), queued, tested);
      if (result.taskStatus === "in_progress") await this.#giveUp(call, id, result.warnings[0] ?? result.summary);
    } catch (error) {
      await recovery.settle(id, createRecoverySignal());
      // Interrupted: it keeps its place, for the process that comes next.
      if (error instanceof ForgeError && error.code === "CANCELLED") return "done";
      await this.#giveUp(call, id, error instanceof ForgeError ? error.message : "Not merged: an internal error.");
      if (!(error instanceof ForgeError)) this.#deps.log?.("error", "a queued merge failed", { execution: id, error });
    }
    return "done";
  }

  /** The execution is open again, and its record says what is to be done. */
  async #giveUp(call: Call, id: string, why: string): Promise<void> {
    const suggestion = "Resolve this in the execution's folder, then commit again.";
    const issue: Issue = { type: "merge_failed", message: why, suggestion };
    await this.#services.timeline.change(call, id, (row) =>
      row.status === "running" && findQueuedMerge(row.intent)
        ? {
            columns: { intent: null, stage: "implementing" },
            events: [{ kind: "issue", message: why, details: issue }],
          }
        : undefined,
    );
  }
}

export function toEntries(open: readonly ExecutionRow[]): QueueEntry[] {
  return open
    .flatMap((row) => {
      const queued = findQueuedMerge(row.intent);
      return queued ? [{ row, queued }] : [];
    })
    .sort((a, b) => a.queued.at - b.queued.at || a.row.seq - b.row.seq);
}

/** Nobody listens: what happens is in the timeline. */
function createOwnCall(actor: Pick<Call, "principal" | "record">, signal: AbortSignal): Call {
  return {
    ...actor,
    signal,
    report: () => undefined,
    log: () => undefined,
    noteUntrusted: async () => undefined,
    canAsk: () => false,
    ask: async () => ({}),
  };
}
