import { setImmediate as nextTurn } from "node:timers/promises";
import type { Transaction } from "kysely";
import { hooksOf, runInScope, writeBatches } from "./transaction-hooks.ts";
import type { OpenEngine } from "./types.ts";

/** Somebody's change on its way. */
type PendingChange<Schema> = {
  isLong: boolean;
  /** Makes the change, which is not committed yet; returns how to tell the caller that it is. */
  make(tx: Transaction<Schema>): Promise<() => void>;
  refuse(error: unknown): void;
};

type DoneChange = { tx: object; tell(): void };

/** How many changes share a commit, and for how long others may join one that was begun. */
const maxGrouped = 64;
const joinMs = 20;

/**
 * After how many of them everything else has its turn. SQLite answers at once, so that a group would else be one long moment in which
 * nobody is heard; and Node takes in one new connection a turn.
 */
const changesPerTurn = 8;

/**
 * Makes changes one after another, and commits those that come at the same time together: the commit costs more than the
 * change. Each is answered once it is kept. Where one fails, nothing of the group is kept: those before it are made again
 * without it, and it again as the first of the next group, so that nobody is refused for what was not kept.
 */
export class GroupCommit<Schema> {
  readonly #open: () => Promise<OpenEngine<Schema>>;
  readonly #scope: object;
  readonly #waiting: PendingChange<Schema>[] = [];
  /** Long ones wait apart. One is let in at a time, and then who else waits: many of them would keep everybody out for minutes. */
  readonly #long: PendingChange<Schema>[] = [];
  #isLongNext = false;
  #running: Promise<void> | undefined;

  /** `scope` is what a change inside another is told by. */
  constructor(open: () => Promise<OpenEngine<Schema>>, scope: object) {
    this.#open = open;
    this.#scope = scope;
  }

  /** A long change shares no commit: small ones would wait for it. They wait for one of them at most. */
  run<T>(work: (tx: Transaction<Schema>) => Promise<T>, isLong: boolean): Promise<T> {
    return new Promise((resolve, refuse) => {
      const make = async (tx: Transaction<Schema>) => {
        const value = await runInScope(tx, this.#scope, work);
        return () => resolve(value);
      };
      (isLong ? this.#long : this.#waiting).push({ isLong, make, refuse });
      this.#running ??= this.#runAll();
    });
  }

  /** Resolves when nobody waits any more. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #runAll(): Promise<void> {
    while (this.#waiting.length > 0 || this.#long.length > 0) {
      // With SQLite nothing else is heard meanwhile: who comes at the same moment is to be there when the group is formed.
      await nextTurn();
      this.#letLongIn();
      await this.#commit(maxGrouped);
    }
    this.#running = undefined;
  }

  #letLongIn(): void {
    const isTheirTurn = this.#isLongNext || this.#waiting.length === 0;
    const next = isTheirTurn ? this.#long.shift() : undefined;
    if (next) this.#waiting.unshift(next);
    this.#isLongNext = !next;
  }

  /** Commits those who wait, so many at most. */
  async #commit(limit: number): Promise<void> {
    const taken: PendingChange<Schema>[] = [];
    let made: DoneChange[] = [];
    /** How many of them nothing is known against. */
    let good = 0;
    try {
      const engine = await this.#open();
      await engine.transaction(async (tx) => {
        // After a collision all of them are made again.
        made = [];
        good = 0;
        const joinUntil = performance.now() + joinMs;
        for (;;) {
          const wish = taken[made.length] ?? this.#take(taken, limit, joinUntil);
          if (!wish) break;
          const own = tx.withoutPlugins();
          made.push({ tx: own, tell: await wish.make(own) });
          good++;
          if (made.length % changesPerTurn === 0) await nextTurn();
        }
        await writeBatches(tx, made);
        good = 0;
        for (const { tx: own } of made) {
          hooksOf(own).beforeCommit();
          good++;
        }
      });
    } catch (error) {
      await this.#afterFailure(error, taken, good);
      return;
    }
    for (const [index, { tx, tell }] of made.entries()) {
      try {
        hooksOf(tx).afterCommit();
        tell();
      } catch (error) {
        taken[index]?.refuse(error);
      }
      if ((index + 1) % changesPerTurn === 0) await nextTurn();
    }
  }

  #take(taken: PendingChange<Schema>[], limit: number, joinUntil: number): PendingChange<Schema> | undefined {
    const [next] = this.#waiting;
    if (!next || taken.length >= limit) return undefined;
    if (taken.length > 0 && (next.isLong || taken[0]?.isLong || performance.now() >= joinUntil)) return undefined;
    this.#waiting.shift();
    taken.push(next);
    return next;
  }

  /** `culprit` is the place of the one that failed; past the last where it was the commit. */
  async #afterFailure(error: unknown, taken: readonly PendingChange<Schema>[], culprit: number): Promise<void> {
    if (taken.length === 0) {
      // The database cannot even be asked, and who waits behind would wait as long for the same word.
      for (const wish of [...this.#waiting.splice(0), ...this.#long.splice(0)]) wish.refuse(error);
    } else if (culprit === taken.length) {
      // Where the connection broke in the commit, it may be made: to make the changes again would make them twice.
      for (const wish of taken) wish.refuse(error);
    } else if (culprit === 0) {
      taken[0]?.refuse(error);
      this.#waiting.unshift(...taken.slice(1));
    } else {
      this.#waiting.unshift(...taken);
      await this.#commit(culprit);
    }
  }
}
