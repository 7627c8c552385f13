import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { retryWithin, writeBudgetMs } from "../retry-within.ts";
import type { SqliteConnection } from "./connection.ts";
import { isBusy } from "./errors.ts";

/** Kysely over one open connection. Whoever opened the connection closes it. */
export function openKysely<Schema>(connection: SqliteConnection): Kysely<Schema> {
  const dialect = sqliteDialect(connection);
  const executor = new DirectExecutor(dialect, connection);
  return new Kysely<Schema>({ config: { dialect }, driver: dialect.createDriver(), executor, dialect });
}

/**
 * There is one connection, which answers at once, and there are no plugins: queries need not be handed a connection, nor wait
 * for those before them in a transaction. That took several times as long as most queries, a twentieth of reading a ticket.
 */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: SqliteConnection;

  constructor(dialect: Dialect, connection: SqliteConnection) {
    const provider = { provideConnection: <T>(use: (one: DatabaseConnection) => Promise<T>) => use(connection) };
    super(dialect.createQueryCompiler(), dialect.createAdapter(), provider);
    this.#connection = connection;
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery<Row>(query);
  }

  override withConnectionProvider(): this {
    return this;
  }

  override withoutPlugins(): this {
    return this;
  }
}

function sqliteDialect(connection: SqliteConnection): Dialect {
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
