import type { EntryStore } from "./entry-store.ts";
import { type LedgerEntry, type LedgerFilter, teamMark } from "./model.ts";

const batch = 100;
const pauseAfterFailureMs = 5_000;

/** Follows entries as they come: those of this process at once, those of others by polling. */
export class Tail {
  readonly #entries: EntryStore;
  readonly #pollMs: number;
  readonly #sleepers = new Set<() => void>();

  constructor(entries: EntryStore, pollMs: number) {
    this.#entries = entries;
    this.#pollMs = pollMs;
  }

  /** Something new was committed here. */
  wake(): void {
    for (const wake of this.#sleepers) wake();
  }

  async *follow(filter: LedgerFilter, signal: AbortSignal): AsyncGenerator<LedgerEntry, void> {
    const after = filter.after ?? (await this.#entries.newestSeq());
    for await (const entries of this.#batches({ after, signal, aside: false })) {
      for (const entry of entries) {
        if (signal.aborted) return;
        if (fits(entry, filter)) yield entry;
      }
    }
  }

  /** Does not keep the process from ending, and goes on after a failure: it is told of one at most. */
  async watch(interesting: (entry: LedgerEntry) => boolean, changed: () => void, signal: AbortSignal): Promise<void> {
    const startedAt = Date.now();
    let after: number | undefined;
    while (!signal.aborted) {
      try {
        if (after === undefined) {
          after = await this.#entries.newestSeq();
          // What was committed while that was being asked is news too.
          const missed = await this.#entries.find({ since: startedAt, limit: batch });
          if (missed.some((entry) => entry.seq <= (after ?? 0) && interesting(entry))) changed();
        }
        for await (const entries of this.#batches({ after, signal, aside: true })) {
          after = entries.at(-1)?.seq ?? after;
          if (!signal.aborted && entries.some(interesting)) changed();
        }
      } catch {
        await this.#sleep(pauseAfterFailureMs, signal, true);
      }
    }
  }

  /** All entries, so that those a reader does not want are passed over once and not at every look. */
  async *#batches(from: { after: number; signal: AbortSignal; aside: boolean }): AsyncGenerator<LedgerEntry[], void> {
    let after = from.after;
    while (!from.signal.aborted) {
      const entries = await this.#entries.find({ after, limit: batch });
      after = entries.at(-1)?.seq ?? after;
      if (entries.length > 0) yield entries;
      else await this.#sleep(this.#pollMs, from.signal, from.aside);
    }
  }

  #sleep(delayMs: number, signal: AbortSignal, aside: boolean): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#sleepers.delete(finish);
        signal.removeEventListener("abort", finish);
        resolve();
      };
      const timer = setTimeout(finish, delayMs);
      if (aside) timer.unref();
      this.#sleepers.add(finish);
      signal.addEventListener("abort", finish, { once: true });
      if (signal.aborted) finish();
    });
  }
}

function fits(entry: LedgerEntry, { since, name, about, team, principal, outcome }: LedgerFilter): boolean {
  return (
    (since === undefined || entry.at >= since) &&
    (name === undefined || entry.name === name) &&
    (about === undefined || entry.about.includes(about)) &&
    (team === undefined || entry.about.includes(teamMark(team))) &&
    (principal === undefined || entry.principal === principal) &&
    (outcome === undefined || entry.outcome === outcome)
  );
}
