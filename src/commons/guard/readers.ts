import type { Database } from "../../platform/db/database.ts";
import type { GuardTables } from "./schema.ts";

const hour = 3_600_000;

/** How long a reading counts after the last one, and how old a note may be before a new reading renews it. */
export const memory = { countsMs: 24 * hour, renewMs: hour };

/** Who has read what others wrote. */
export class Readers {
  readonly #database: Database<GuardTables>;
  readonly #now: () => number;
  /** When each was last written down, so that most readings cost nothing. */
  readonly #noted = new Map<string, number>();

  constructor(database: Database<GuardTables>, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  async note(caller: string): Promise<void> {
    const read_at = this.#now();
    const last = this.#noted.get(caller);
    if (last !== undefined && Math.abs(read_at - last) < memory.renewMs) return;
    await this.#database.transaction((tx) =>
      tx
        .insertInto("untrusted_reader")
        .values({ caller, read_at })
        .onConflict((conflict) => conflict.column("caller").doUpdateSet({ read_at }))
        .execute(),
    );
    this.#noted.set(caller, read_at);
  }

  /** Also where the clock was set back since: then it cannot be told how long ago it was. */
  async hasRead(caller: string): Promise<boolean> {
    const row = await this.#database.read((db) =>
      db.selectFrom("untrusted_reader").select("read_at").where("caller", "=", caller).executeTakeFirst(),
    );
    return row !== undefined && this.#now() - row.read_at < memory.countsMs;
  }
}
