import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type { Pool, PoolClient } from "pg";
import { isServerAnswer } from "./errors.ts";
import { PreparedNames } from "./prepared-names.ts";

export type PoolLimits = { connections: number; connectMs: number; idleMs: number; queryMs: number };

const defaultLimits: PoolLimits = { connections: 10, connectMs: 5_000, idleMs: 30_000, queryMs: 30_000 };
const int8 = 20;
/** A query that nobody waits for any more goes on in the server until it ends there, too. */
const graceMs = 1_000;

/** A pool that throws away a connection whose last word is unknown: it may still be inside somebody's transaction. */
export async function openPool(url: string, schema?: string, given: Partial<PoolLimits> = {}): Promise<PostgresPool> {
  const limits = { ...defaultLimits, ...given };
  const { Pool, types } = (await import("pg")).default;
  const pool = new Pool({
    connectionString: url,
    application_name: "forge",
    max: limits.connections,
    connectionTimeoutMillis: limits.connectMs,
    idleTimeoutMillis: limits.idleMs,
    query_timeout: limits.queryMs,
    keepAlive: true,
    allowExitOnIdle: true,
    types: { getTypeParser: (id, format) => (id === int8 ? safeNumber : types.getTypeParser(id, format)) },
  });
  // A connection that breaks, idle or lent out, is noticed at its next use; unheard, the event would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    // Sent before anything else on this connection; if it fails, so does what comes next.
    if (schema !== undefined)
      client
        .query(
          `set search_path to "${schema.replaceAll('"', '""')}"; set statement_timeout = ${limits.queryMs + graceMs}`,
        )
        .catch(() => undefined);
  });
  const names = new PreparedNames();
  return { connect: () => borrow(pool, names), end: () => pool.end() };
}

async function borrow(pool: Pool, names: PreparedNames): Promise<PostgresPoolClient> {
  const client: PoolClient = await pool.connect();
  let sound = true;
  function query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query(sql: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof sql !== "string") throw new TypeError("Rows are not streamed from PostgreSQL: ask for them by pages.");
    const values = [...parameters];
    const name = values.length > 0 ? names.of(sql) : undefined;
    return client.query(name === undefined ? { text: sql, values } : { name, text: sql, values }).catch((error) => {
      if (!isServerAnswer(error)) sound = false;
      // In a transaction that statement was the last; the whole of it is run again.
      const isAlone = client.getTransactionStatus() === "I";
      if (name !== undefined && names.noteFailure(error) && isAlone) return client.query({ text: sql, values });
      throw error;
    });
  }
  return { query, release: () => client.release(!sound) };
}

/** As SQLite's driver does it: a number where it is exact, an error where it would not be. */
function safeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is too large for an exact number.`);
  return number;
}
