import type { Call } from "../../../../kernel/call.ts";
import type { Execution, ExecutionEvent } from "../../model/execution-model.ts";
import type { Followed, Following } from "../../model/services.ts";
import type { Parts } from "../deps.ts";
import { type ExecutionRow, executionFrom } from "../rows.ts";
import type { Watching } from "./change-watcher.ts";
import type { Observing } from "./git-sync.ts";

const lookMs = 2_000;
const atOnce = 500;
const mostEvents = 2_000;

/** Keeps a call open beside an execution, and tells what happens in it as it happens. */
export class FollowingEvents {
  readonly #parts: Parts;
  readonly #observing: Observing;
  readonly #watching: Watching;

  constructor(parts: Parts, observing: Observing, watching: Watching) {
    this.#parts = parts;
    this.#observing = observing;
    this.#watching = watching;
  }

  async follow(call: Call, row: ExecutionRow, { after, waitMs, onEvent }: Following): Promise<Followed> {
    const { signal } = call;
    const deadline = performance.now() + waitMs;
    const events: ExecutionEvent[] = [];
    const bell = new Bell();
    const stop = this.#watching.calls(row.id, () => bell.ring());
    let lookedAt = Number.NEGATIVE_INFINITY;
    try {
      let last = after ?? (await this.#latest(row));
      for (;;) {
        if (performance.now() - lookedAt >= lookMs) {
          lookedAt = performance.now();
          await this.#observing.observe(call, await this.#now(row.id), signal);
        }
        const news = await this.#since(row, last);
        const execution = await this.#now(row.id);
        for (const event of news) onEvent(event, execution);
        events.push(...news);
        last = events.at(-1)?.seq ?? last;
        const isOver = execution.status !== "running" && news.length < atOnce;
        const left = deadline - performance.now();
        if (isOver || left <= 0 || events.length >= mostEvents) return { execution, events, last };
        if (news.length < atOnce) await bell.heard(Math.min(lookMs, left), signal);
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
    return store.database.read((db) => store.events(db, row.seq, { after, limit: atOnce }));
  }

  async #now(id: string): Promise<Execution> {
    const { store } = this.#parts;
    const row = await store.database.read((db) => store.find(db, id));
    if (!row) throw new Error(`execution ${id} is not in the store any more`);
    return executionFrom(row);
  }
}

/** Rings that nobody waited for are heard by the next who waits. */
class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  heard(ms: number, signal: AbortSignal): Promise<void> {
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
