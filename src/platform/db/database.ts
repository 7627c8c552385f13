import { AsyncLocalStorage } from "node:async_hooks";
import type { Transaction } from "kysely";
import { ForgeError } from "../../kernel/errors.ts";
import { parseDatabaseUrl } from "./database-url.ts";
import { assertContiguous } from "./migration-list.ts";
import { explainPostgres } from "./postgres-errors.ts";
import { explainSqlite } from "./sqlite-errors.ts";
import { Turns } from "./turns.ts";
import type { Engine, Migration, OpenEngine, Place, Reads } from "./types.ts";

/** The transaction some piece of code runs in, if any. */
type Scope = { database: object; active: boolean };

const scopes = new AsyncLocalStorage<Scope>();
const commitHooks = new WeakMap<object, (() => void)[]>();

/** Has something done once the transaction is committed, and only then. */
export function afterCommit<Schema>(tx: Transaction<Schema>, done: () => void): void {
  const hooks = commitHooks.get(tx);
  if (!hooks) throw new Error("afterCommit needs the very transaction that Database.transaction gave.");
  hooks.push(done);
}

/**
 * The one handle on the program's data. Making it costs nothing: the driver is loaded, the database opened and its schema
 * brought up to date at the first read or transaction, once; where that fails, the next one tries again.
 */
export class Database<Schema> {
  readonly engine: Engine;
  readonly #place: Place;
  readonly #migrations: readonly Migration[];
  readonly #writers = new Turns();
  #opening: Promise<OpenEngine<Schema>> | undefined;
  #closed = false;

  constructor(place: Place, migrations: readonly Migration[]) {
    assertContiguous(migrations);
    this.engine = "file" in place ? "sqlite" : "postgres";
    this.#place = place;
    this.#migrations = migrations;
  }

  /** Looks at the data. Sees what is committed, also while somebody else writes. */
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
   * Changes the data: all of it or nothing, as if nobody else were writing. `work` may be run again after a collision, so it
   * does nothing but ask and tell the database, through `tx` alone.
   */
  async transaction<T>(work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
    this.#refuseClosed();
    const outer = scopes.getStore();
    if (outer?.active && outer.database === this) {
      throw new Error(
        "A transaction was asked for inside another one, which would wait for itself: pass `tx` on instead.",
      );
    }
    return this.#writers.run(async () => {
      const engine = await this.#open();
      try {
        return await this.#commit(engine, work);
      } catch (error) {
        throw await this.#explain(error);
      }
    });
  }

  /** The same database, seen as one with these tables. */
  forTables<Tables>(): Database<Tables> {
    return this as unknown as Database<Tables>;
  }

  /** Waits for the transactions under way. Nothing can be asked afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writers.run(async () => {
      const engine = await this.#opening?.catch(() => undefined);
      this.#opening = undefined;
      await engine?.close();
    });
  }

  async #commit<T>(engine: OpenEngine<Schema>, work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
    let hooks: (() => void)[] = [];
    const scope: Scope = { database: this, active: true };
    try {
      const result = await engine.transaction((tx) => {
        hooks = [];
        commitHooks.set(tx, hooks);
        return scopes.run(scope, () => work(tx));
      });
      scope.active = false;
      for (const hook of hooks) hook();
      return result;
    } finally {
      scope.active = false;
      // On Node 20 every promise of the program is slower while this is on; the next transaction turns it on again.
      scopes.disable();
    }
  }

  #open(): Promise<OpenEngine<Schema>> {
    this.#opening ??= openEngine<Schema>(this.#place, this.#migrations).catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  #refuseClosed(): void {
    if (!this.#closed) return;
    const suggestions = ["Start Forge again."];
    throw new ForgeError("STORE_ERROR", "The database is closed: this Forge process is ending.", { suggestions });
  }

  async #explain(error: unknown): Promise<unknown> {
    if (error instanceof ForgeError) return error;
    if ("file" in this.#place) return await explainSqlite(error, this.#place.file, { inUse: true });
    return explainPostgres(error, parseDatabaseUrl(this.#place.url));
  }
}

/** The engines and the query builder are loaded here and not before: most starts of the program need none of them. */
async function openEngine<Schema>(place: Place, migrations: readonly Migration[]): Promise<OpenEngine<Schema>> {
  if ("file" in place) return (await import("./sqlite.ts")).openSqlite<Schema>(place.file, migrations);
  return (await import("./postgres.ts")).openPostgres<Schema>(place.url, migrations);
}

export function openDatabase<Schema>(place: Place, migrations: readonly Migration[]): Database<Schema> {
  return new Database<Schema>(place, migrations);
}
