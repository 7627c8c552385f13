import type { Transaction } from "kysely";
import { ForgeError } from "../../kernel/errors.ts";
import { GroupCommit } from "./group-commit.ts";
import { assertContiguous } from "./migration-list.ts";
import { parseDatabaseUrl } from "./postgres/database-url.ts";
import { explainPostgres } from "./postgres/errors.ts";
import { explainSqlite } from "./sqlite/errors.ts";
import { refuseNested } from "./transaction-hooks.ts";
import type { Admission, Engine, Migration, OpenEngine, Place, Reads } from "./types.ts";

export { afterCommit, beforeCommit, writeTogether } from "./transaction-hooks.ts";

/**
 * The one handle on the program's data. Making it costs nothing: the driver is loaded, the database opened and its schema
 * brought up to date at the first read or transaction, once; where that fails, the next one tries again.
 */
export class Database<Schema> {
  readonly engine: Engine;
  readonly #place: Place;
  readonly #migrations: readonly Migration[];
  readonly #changes = new GroupCommit<Schema>(() => this.#open(), this);
  readonly #admission: Admission | undefined;
  #opening: Promise<OpenEngine<Schema>> | undefined;
  #closed = false;

  constructor(place: Place, migrations: readonly Migration[], admission?: Admission) {
    assertContiguous(migrations);
    this.engine = "file" in place ? "sqlite" : "postgres";
    this.#place = place;
    this.#migrations = migrations;
    this.#admission = admission;
  }

  /** Reads the data. Sees what is committed, also during another write. */
  async read<T>(work: (db: Reads<Schema>) => Promise<T>): Promise<T> {
    this.#refuseClosed();
    const engine = await this.#open();
    try {
      return await work(engine.reads);
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  /**
   * Changes the data: all or nothing, as if there were no other writers. `work` may run again, after a collision or if a change
   * that shared its commit has failed; so it does nothing but use the database, through `tx`. `isLong` is for work that others
   * should not wait for: it shares no commit.
   */
  async transaction<T>(work: (tx: Transaction<Schema>) => Promise<T>, { isLong = false } = {}): Promise<T> {
    this.#refuseClosed();
    refuseNested(this);
    try {
      return await this.#changes.run(work, isLong);
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  /** The same database, seen as one with these tables. */
  forTables<Tables>(): Database<Tables> {
    return this as unknown as Database<Tables>;
  }

  /** Waits for the transactions under way. Nothing can be asked afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#changes.idle();
    const engine = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    await engine?.close();
  }

  #open(): Promise<OpenEngine<Schema>> {
    this.#opening ??= openEngine<Schema>(this.#place, this.#migrations, this.#admission).catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  #refuseClosed(): void {
    if (!this.#closed) return;
    const next = ["Start Forge again."];
    throw new ForgeError("STORE_ERROR", "The database is closed: this Forge process is ending.", { next });
  }

  async #explain(error: unknown): Promise<unknown> {
    if (error instanceof ForgeError) return error;
    if ("file" in this.#place) return await explainSqlite(error, this.#place.file, { inUse: true });
    return explainPostgres(error, parseDatabaseUrl(this.#place.url));
  }
}

/** The engines and the query builder are loaded here: most starts of the program need none of them. */
async function openEngine<Schema>(
  place: Place,
  migrations: readonly Migration[],
  admission: Admission | undefined,
): Promise<OpenEngine<Schema>> {
  if ("file" in place)
    return (await import("./sqlite/sqlite.ts")).openSqlite<Schema>(place.file, migrations, admission);
  return (await import("./postgres/postgres.ts")).openPostgres<Schema>(place.url, migrations);
}

export function openDatabase<Schema>(
  place: Place,
  migrations: readonly Migration[],
  admission?: Admission,
): Database<Schema> {
  return new Database<Schema>(place, migrations, admission);
}
