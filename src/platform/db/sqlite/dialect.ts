import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { retryWithin, writeBudgetMs } from "../retry-within.ts";
import type { SqliteConnection } from "./connection.ts";
import { isBusy } from "./errors.ts";

/** Kysely over one open connection. Whoever opened the connection closes it. */
export function sqliteDialect(connection: SqliteConnection): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(connection),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  /** Takes the write lock at once: a transaction that starts as a reader may find that it can no longer become a writer. */
  async beginTransaction(): Promise<void> {
    await retryWithin({ budgetMs: writeBudgetMs, retryable: isBusy }, () => this.#connection.run("begin immediate"));
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.run("commit");
  }

  /** On a full disk and the like SQLite has rolled back by itself; the error to tell is the one before. */
  async rollbackTransaction(): Promise<void> {
    try {
      await this.#connection.run("rollback");
    } catch (error) {
      if (!String(error).includes("no transaction is active")) throw error;
    }
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
