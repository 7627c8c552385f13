import type { Ledger } from "../ledger.ts";
import { type LedgerEntry, teamMark } from "../model.ts";

type Listener = (entry: LedgerEntry) => void;

const pauseAfterFailureMs = 5_000;

/** Where listeners to every entry are kept; no entry is about it. */
const everything = "";

/** Sends the entries of teams, or of a laptop, to their listeners, with one query for all of them. */
export class Broadcast {
  readonly #ledger: Pick<Ledger, "follow" | "newest">;
  readonly #listeners = new Map<string, Set<Listener>>();
  #following: AbortController | undefined;
  #started: Promise<void> | undefined;

  constructor(ledger: Pick<Ledger, "follow" | "newest">) {
    this.#ledger = ledger;
  }

  /** Calls back for every entry of the team, or of the laptop, that is committed once this has resolved; returns how to stop. */
  async listen(team: string | undefined, listener: Listener): Promise<() => void> {
    const mark = team === undefined ? everything : teamMark(team);
    const listeners = this.#listeners.get(mark) ?? new Set();
    this.#listeners.set(mark, listeners.add(listener));
    const leave = () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(mark) === listeners) this.#listeners.delete(mark);
      if (this.#listeners.size === 0) this.stop();
    };
    try {
      this.#started ??= this.#start();
      await this.#started;
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  stop(): void {
    this.#following?.abort();
    this.#following = undefined;
    this.#started = undefined;
  }

  async #start(): Promise<void> {
    const following = new AbortController();
    this.#following = following;
    void this.#follow(await this.#ledger.newest(), following.signal);
  }

  async #follow(newest: number, signal: AbortSignal): Promise<void> {
    let after = newest;
    while (!signal.aborted) {
      try {
        for await (const entry of this.#ledger.follow({ after }, signal)) {
          after = entry.seq;
          this.#tell(entry);
        }
        return;
      } catch {
        await pauseUnlessAborted(pauseAfterFailureMs, signal);
      }
    }
  }

  #tell(entry: LedgerEntry): void {
    for (const item of [everything, ...entry.about]) {
      for (const listener of this.#listeners.get(item) ?? []) listener(entry);
    }
  }
}

function pauseUnlessAborted(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, delayMs);
    timer.unref();
    signal.addEventListener("abort", finish, { once: true });
    if (signal.aborted) finish();
  });
}
