import type { Call } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { Execution, ExecutionEvent, FollowOptions, FollowOutcome } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import { type ExecutionRow, toExecution } from "../rows.ts";
import type { ChangeWatcher } from "./change-watcher.ts";
import type { GitSync } from "./git-sync.ts";

const pollMs = 2_000;
const batchSize = 500;
const maxEvents = 2_000;

/** Keeps a call open, and reports events of an execution as they happen. */
export class EventFollower {
  readonly #deps: ExecutionDeps;
  readonly #gitSync: GitSync;
  readonly #watcher: ChangeWatcher;

  constructor(deps: ExecutionDeps, gitSync: GitSync, watcher: ChangeWatcher) {
    this.#deps = deps;
    this.#gitSync = gitSync;
    this.#watcher = watcher;
  }

  async follow(call: Call, row: ExecutionRow, { after, waitMs, onEvent }: FollowOptions): Promise<FollowOutcome> {
    const { signal } = call;
    const deadline = performance.now() + waitMs;
    const events: ExecutionEvent[] = [];
    const wake = new WakeSignal();
    const stop = this.#watcher.onCalls(row.id, () => wake.notify());
    let syncedAt = Number.NEGATIVE_INFINITY;
    try {
      let last = after ?? (await this.#readLatest(row));
      for (;;) {
        if (performance.now() - syncedAt >= pollMs) {
          syncedAt = performance.now();
          await this.#syncIfPossible(call, await this.#read(row.id));
        }
        // In this order: once it has ended, all its events are there to be read.
        const execution = await this.#read(row.id);
        const news = await this.#listSince(row, last);
        for (const event of news) onEvent(event, execution);
        events.push(...news);
        last = events.at(-1)?.seq ?? last;
        const isOver = execution.status !== "running" && news.length < batchSize;
        const left = deadline - performance.now();
        if (isOver || left <= 0 || events.length >= maxEvents) return { execution, events, last };
        if (news.length < batchSize) await wake.wait(Math.min(pollMs, left), signal);
        signal.throwIfAborted();
      }
    } finally {
      stop();
    }
  }

  /** The folder of an execution that is about to end may be gone already; its last events are still to come. */
  async #syncIfPossible(call: Call, execution: Execution): Promise<void> {
    try {
      await this.#gitSync.recordGitChanges(call, execution, call.signal);
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
    }
  }

  async #readLatest(row: ExecutionRow): Promise<number> {
    const { store } = this.#deps;
    const [latest] = await store.database.read((db) => store.listEvents(db, row.seq, { limit: 1 }));
    return latest?.seq ?? 0;
  }

  #listSince(row: ExecutionRow, after: number): Promise<ExecutionEvent[]> {
    const { store } = this.#deps;
    return store.database.read((db) => store.listEvents(db, row.seq, { after, limit: batchSize }));
  }

  async #read(id: string): Promise<Execution> {
    const { store } = this.#deps;
    const row = await store.database.read((db) => store.find(db, id));
    if (!row) throw new Error(`execution ${id} is no longer in the store`);
    return toExecution(row);
  }
}

/** A notification that nobody waited for ends the next wait at once. */
class WakeSignal {
  #isNotified = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isNotified = true;
    this.#wake?.();
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        this.#wake = undefined;
        this.#isNotified = false;
        resolve();
      };
      const timer = setTimeout(finish, ms);
      signal.addEventListener("abort", finish);
      this.#wake = finish;
      if (this.#isNotified || signal.aborted) finish();
    });
  }
}
