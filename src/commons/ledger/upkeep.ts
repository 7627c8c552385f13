import type { EntryStore, Retention } from "./entry-store.ts";

/** Old entries are looked for whenever the count passes a multiple of this, in whichever process that happens. */
export const entriesBetweenPrunings = 500;

/** Closes what dead processes left open and removes what is too old: seldom, in the background, and never failing. */
export class Upkeep {
  readonly #entries: EntryStore;
  readonly #retention: Retention;
  readonly #leaseMs: number;
  #running: Promise<void> = Promise.resolve();
  #started = false;
  #stopped = false;
  #again: NodeJS.Timeout | undefined;

  constructor(entries: EntryStore, retention: Retention, leaseMs: number) {
    this.#entries = entries;
    this.#retention = retention;
    this.#leaseMs = leaseMs;
  }

  /** The ledger was used, with these entries written. */
  noteUse(written: { newest: number; count: number }): void {
    const { newest, count } = written;
    const passed = Math.floor(newest / entriesBetweenPrunings) > Math.floor((newest - count) / entriesBetweenPrunings);
    if (!this.#started || passed) this.#run();
    if (this.#started) return;
    this.#started = true;
    // A process that died just before this one started still counts as alive now.
    this.#again = setTimeout(() => this.#run(), this.#leaseMs * 1.1);
    this.#again.unref();
  }

  /** A team of the server has written many entries, or its first since the start. */
  limitTeam(team: string): void {
    if (this.#stopped || !this.#retention.ofEachTeam) return;
    this.#running = this.#running.then(() => this.#entries.pruneTeam(team, this.#retention)).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#again);
    await this.#running;
  }

  #run(): void {
    if (this.#stopped) return;
    this.#running = this.#running
      .then(() => this.#entries.reconcile())
      .then(() => this.#entries.prune(this.#retention))
      .catch(() => undefined);
  }
}
