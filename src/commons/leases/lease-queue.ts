import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Transaction } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { Reads } from "../../platform/db/types.ts";
import { agreedTime, isRecent } from "./clock.ts";
import { leaseBusy, waitCancelled } from "./errors.ts";
import type { LeaseTables } from "./schema.ts";

type Turn<T> = {
  /** Who has it now, if anybody. */
  holder(): Promise<string | undefined>;
  /** Tries to take it and leaves the queue with it; undefined where it was not free after all. */
  attempt(waiter: string): Promise<T | undefined>;
};

/** How often those who wait look, and show that they are there; after how long without that they are passed over. */
const timing = { lookMs: 25, showMs: 1_000, goneMs: 5_000 };

/** Those who wait for a lease, in the order they came. One that is killed is passed over after five seconds. */
export class LeaseQueue {
  readonly #database: Database<LeaseTables>;

  constructor(database: Database<LeaseTables>) {
    this.#database = database;
  }

  async wait<T>(name: string, { waitMs, signal }: { waitMs: number; signal: AbortSignal }, turn: Turn<T>): Promise<T> {
    const waiter = randomUUID();
    const deadline = performance.now() + waitMs;
    let shownAt = Number.NEGATIVE_INFINITY;
    try {
      for (;;) {
        if (signal.aborted) throw waitCancelled(name);
        if (performance.now() - shownAt >= timing.showMs) {
          await this.#show(name, waiter);
          shownAt = performance.now();
        }
        const holder = await turn.holder();
        if (holder === undefined && (await this.#isFirstNow(name, waiter))) {
          const taken = await turn.attempt(waiter);
          if (taken !== undefined) return taken;
        }
        if (performance.now() >= deadline) throw leaseBusy(name, holder, waitMs);
        await pause(timing.lookMs, undefined, { signal }).catch(() => undefined);
      }
    } catch (error) {
      await this.#database.transaction((tx) => this.leave(tx, waiter));
      throw error;
    }
  }

  /** Whether nobody who is still there came before; `waiter` is undefined for one who does not wait. */
  async isFirst(
    db: Pick<Reads<LeaseTables>, "selectFrom">,
    name: string,
    waiter: string | undefined,
    now: number,
  ): Promise<boolean> {
    const rows = await db
      .selectFrom("lease_waiter")
      .select(["waiter", "seen_at"])
      .where("name", "=", name)
      .orderBy("place")
      .execute();
    const first = rows.find((row) => row.waiter === waiter || isRecent(row.seen_at, now, timing.goneMs));
    return first === undefined || first.waiter === waiter;
  }

  #isFirstNow(name: string, waiter: string): Promise<boolean> {
    return this.#database.read(async (db) =>
      this.isFirst(db, name, waiter, await agreedTime(db, this.#database.engine)),
    );
  }

  /** Takes the last place, or shows that this waiter is still there; removes those that are gone. */
  async #show(name: string, waiter: string): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const seen_at = await agreedTime(tx, this.#database.engine);
      await this.#clear(tx, name, waiter, seen_at);
      await tx
        .insertInto("lease_waiter")
        .values({ name, waiter, seen_at })
        .onConflict((conflict) => conflict.column("waiter").doUpdateSet({ seen_at }))
        .execute();
    });
  }

  async #clear(tx: Transaction<LeaseTables>, name: string, waiter: string, now: number): Promise<void> {
    const rows = await tx.selectFrom("lease_waiter").selectAll().where("name", "=", name).execute();
    const gone = rows.filter((row) => row.waiter !== waiter && !isRecent(row.seen_at, now, timing.goneMs));
    if (gone.length === 0) return;
    const places = gone.map(({ place }) => place);
    await tx.deleteFrom("lease_waiter").where("place", "in", places).execute();
  }

  async leave(tx: Transaction<LeaseTables>, waiter: string): Promise<void> {
    await tx.deleteFrom("lease_waiter").where("waiter", "=", waiter).execute();
  }
}
