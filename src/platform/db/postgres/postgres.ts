import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  sql,
  type Transaction,
} from "kysely";
import { errorCode } from "../../host/error-code.ts";
import { latestVersion, pendingMigrations, refuseNewer } from "../migration-list.ts";
import { retryWithin, writeBudgetMs } from "../retry-within.ts";
import type { Migration, OpenEngine } from "../types.ts";
import { type PostgresAddress, parseDatabaseUrl } from "./database-url.ts";
import { explainPostgres, isCollision } from "./errors.ts";
import { openPool } from "./pool.ts";
import { createOwnSchema, findSchema, ownSchema } from "./schema-place.ts";

/** An arbitrary number that all Forge processes agree on. */
const migrationLock = 0x466f7267;

export async function openPostgres<Schema>(url: string, migrations: readonly Migration[]): Promise<OpenEngine<Schema>> {
  const address = parseDatabaseUrl(url);
  const schema = await chooseSchema(url, address);
  const pool = await openPool(url, schema);
  try {
    await migrate(pool, address, migrations, schema);
  } catch (error) {
    await pool.end();
    throw explainPostgres(error, address);
  }
  const db = new Kysely<Schema>({ dialect: new WritersDialect({ pool }) });
  return { reads: db, transaction: (work) => runAlone(db, work), close: () => db.destroy() };
}

/** How long a process that has stopped in the middle of a change keeps the others waiting. */
const silenceMs = 30_000;

/**
 * One writer at a time, as on SQLite: then changes do not collide, those that share a commit cannot wait for each other
 * crosswise, and entries get their numbers in the order they are committed. The lock comes before anything is looked at, or
 * it would be looked at as it was before the lock was free. It keeps no reader waiting. All of it is one message to the server.
 */
const beginning = [
  "start transaction isolation level serializable",
  `set local lock_timeout = ${writeBudgetMs}`,
  `set local idle_in_transaction_session_timeout = ${silenceMs}`,
  "lock table forge_schema in exclusive mode",
].join("; ");

class WritersDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new WritersDriver(this.#config);
  }
}

class WritersDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw(beginning));
    } catch (error) {
      // Half begun; the connection is somebody else's next.
      await this.rollbackTransaction(connection).catch(() => undefined);
      throw error;
    }
  }
}

/** Run again where it collides with a process of an older Forge, or with itself on its way through a pooler. */
function runAlone<Schema, T>(db: Kysely<Schema>, work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
  return retryWithin({ budgetMs: writeBudgetMs, retryable: isCollision }, () => db.transaction().execute(work));
}

/** Before any connection is told where to look for tables. */
async function chooseSchema(url: string, address: PostgresAddress): Promise<string> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: await openPool(url) }) });
  try {
    return await findSchema(db, address);
  } catch (error) {
    throw explainPostgres(error, address);
  } finally {
    await db.destroy();
  }
}

/** All steps that are missing, or none: a database that another program uses too is never left half-way. */
async function migrate(
  pool: PostgresPool,
  address: PostgresAddress,
  migrations: readonly Migration[],
  schema: string,
): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const current = await schemaOf(db);
  refuseNewer(current ?? 0, migrations, address.shown);
  if (current === latestVersion(migrations)) return;
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(tx);
    if (schema === ownSchema) await createOwnSchema(tx, address);
    await sql`create table if not exists forge_schema (version integer not null)`.execute(tx);
    // Another process may have done it while this one waited for the lock.
    const now = (await schemaOf(tx)) ?? 0;
    refuseNewer(now, migrations, address.shown);
    if (now >= latestVersion(migrations)) return;
    for (const migration of pendingMigrations(now, migrations)) await migration.up(tx, "postgres");
    await sql`delete from forge_schema`.execute(tx);
    await sql`insert into forge_schema (version) values (${latestVersion(migrations)})`.execute(tx);
  });
}

/** Undefined where no Forge has been here. */
async function schemaOf(db: Kysely<unknown>): Promise<number | undefined> {
  try {
    const { rows } = await sql<{ version: number }>`select version from forge_schema`.execute(db);
    return rows[0]?.version;
  } catch (error) {
    const undefinedTable = "42P01";
    if (errorCode(error) === undefinedTable) return undefined;
    throw error;
  }
}
