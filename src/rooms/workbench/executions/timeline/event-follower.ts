import type { Call } from "../../../../kernel/call.ts";
import type { Execution, ExecutionEvent, FollowOptions, FollowOutcome } from "../../model/execution-model.ts";
import type { ExecutionDeps } from "../deps.ts";
import { type ExecutionRow, toExecution } from "../rows.ts";
import type { ChangeWatcher } from "./change-watcher.ts";
import type { GitSync } from "./git-sync.ts";

const pollMs = 2_000;
const batchSize = 500;
const maxEvents = 2_000;

/** Keeps a call open beside an execution, and tells what happens in it as it happens. */
export class EventFollower {
  readonly #parts: ExecutionDeps;
  readonly #observing: GitSync;
  readonly #watching: ChangeWatcher;

  constructor(parts: ExecutionDeps, observing: GitSync, watching: ChangeWatcher) {
    this.#parts = parts;
    this.#observing = observing;
    this.#watching = watching;
  }

  async follow(call: Call, row: ExecutionRow, { after, waitMs, onEvent }: FollowOptions): Promise<FollowOutcome> {
    const { signal } = call;
    const deadline = performance.now() + waitMs;
    const events: ExecutionEvent[] = [];
    const bell = new WakeSignal();
    const stop = this.#watching.onCalls(row.id, () => bell.notify());
    let lookedAt = Number.NEGATIVE_INFINITY;
    try {
      let last = after ?? (await this.#latest(row));
      for (;;) {
        if (performance.now() - lookedAt >= pollMs) {
          lookedAt = performance.now();
          await this.#observing.recordGitChanges(call, await this.#now(row.id), signal);
        }
        const news = await this.#since(row, last);
        const execution = await this.#now(row.id);
        for (const event of news) onEvent(event, execution);
        events.push(...news);
        last = events.at(-1)?.seq ?? last;
        const isOver = execution.status !== "running" && news.length < batchSize;
        const left = deadline - performance.now();
        if (isOver || left <= 0 || events.length >= maxEvents) return { execution, events, last };
        if (news.length < batchSize) await bell.wait(Math.min(pollMs, left), signal);
        signal.throwIfAborted();
      }
    } finally {
      stop();
    }
  }

  async #latest(row: ExecutionRow): Promise<number> {
    const { store } = this.#parts;
    const [latest] = await store.database.read((db) => store.events(db, row.seq, { limit: 1 }));
    return latest?.seq ?? 0;
  }

  #since(row: ExecutionRow, after: number): Promise<ExecutionEvent[]> {
    const { store } = this.#parts;
    return store.database.read((db) => store.events(db, row.seq, { after, limit: batchSize }));
  }

  async #now(id: string): Promise<Execution> {
    const { store } = this.#parts;
    const row = await store.database.read((db) => store.find(db, id));
    if (!row) throw new Error(`execution ${id} is not in the store any more`);
    return toExecution(row);
  }
}

/** Rings that nobody waited for are heard by the next who waits. */
class WakeSignal {
  #isRung = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#wake = undefined;
        this.#isRung = false;
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done);
      this.#wake = done;
      if (this.#isRung || signal.aborted) done();
    });
  }
}
