import { CompiledQuery, type DatabaseConnection, type QueryResult } from "kysely";
import type { SqliteHandle, SqliteStatement, SqliteValue } from "./library.ts";

type PreparedStatement = { statement: SqliteStatement; returnsRows: boolean };

const maxStatements = 200;

/** One SQLite connection as Kysely sees it. Prepared statements are kept, the least recently used forgotten first. */
export class SqliteConnection implements DatabaseConnection {
  readonly #handle: SqliteHandle;
  readonly #prepared = new Map<string, PreparedStatement>();

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
  }

  // Async so that what SQLite throws becomes a rejection.
  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, returnsRows } = this.#prepare(sql);
    const values = parameters.map(toBindable);
    if (returnsRows) return { rows: statement.all(...values) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    // Not a kept statement: it might be started again between two rows.
    for (const row of this.#handle.prepare(sql).iterate(...parameters.map(toBindable))) yield { rows: [row as Row] };
  }

  run(sql: string): Promise<QueryResult<unknown>> {
    return this.executeQuery(CompiledQuery.raw(sql));
  }

  #prepare(sql: string): PreparedStatement {
    let prepared = this.#prepared.get(sql);
    // Which was used last matters only once one has to go.
    if (prepared && this.#prepared.size < maxStatements) return prepared;
    if (prepared) this.#prepared.delete(sql);
    else {
      const statement = this.#handle.prepare(sql);
      prepared = { statement, returnsRows: statement.columns().length > 0 };
      const oldest = this.#prepared.keys().next();
      if (this.#prepared.size >= maxStatements && !oldest.done) this.#prepared.delete(oldest.value);
    }
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function toBindable(value: unknown): SqliteValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === null || typeof value === "number" || typeof value === "bigint" || typeof value === "string")
    return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`SQLite has no value for a ${typeof value}; expected text, a number, bytes, a boolean or null.`);
}
