import { ForgeError } from "../../kernel/errors.ts";
import { visible } from "../../kernel/text/visible.ts";
import { parseDatabaseUrl } from "./postgres/database-url.ts";
import { explainPostgres } from "./postgres/errors.ts";
import { openPool } from "./postgres/pool.ts";
import { Damage } from "./sqlite/damage.ts";
import { explainSqlite } from "./sqlite/errors.ts";
import { openForInspection, refuseIncomplete, refuseTraps } from "./sqlite/file.ts";
import { loadSqlite, type SqliteHandle } from "./sqlite/library.ts";
import { schemaOf, single } from "./sqlite/schema.ts";

/** Looks at a database without bringing its schema up to date, which opening it for work would. */

const maxFinding = 200;

export type SqliteFacts = { schema: number; journalMode: string };

/** Throws a ForgeError where the file cannot be read or is damaged; a copy of a damaged one is kept. */
export async function inspectSqlite(file: string): Promise<SqliteFacts> {
  const library = await loadSqlite();
  let handle: SqliteHandle | undefined;
  let inUse = false;
  try {
    refuseTraps(file);
    refuseIncomplete(file);
    handle = openForInspection(library, file);
    handle.exec("pragma busy_timeout = 5000; pragma trusted_schema = off; pragma query_only = on");
    const schema = schemaOf(handle, file);
    inUse = true;
    const found = String(single(handle, "pragma quick_check(1)"));
    if (found !== "ok") throw new Damage(`SQLite's check found "${visible(found.slice(0, maxFinding))}"`);
    return { schema, journalMode: String(single(handle, "pragma journal_mode")) };
  } catch (error) {
    throw error instanceof ForgeError ? error : await explainSqlite(error, file, { inUse });
  } finally {
    handle?.close();
  }
}

export type PostgresFacts = {
  /** Undefined where no Forge has been here. */
  schema: number | undefined;
  /** The server's clock, when it was asked. */
  now: number;
  /** Names of the programs that are connected at this moment. */
  programs: string[];
  shown: string;
};

export async function inspectPostgres(url: string): Promise<PostgresFacts> {
  const address = parseDatabaseUrl(url);
  const pool = await openPool(url);
  try {
    const client = await pool.connect();
    try {
      const ask = async <Row>(sql: string) => (await client.query<Row>(sql, [])).rows;
      const [clock] = await ask<{ now: string }>(
        "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
      );
      const [table] = await ask<{ name: string | null }>(
        "select coalesce(to_regclass('forge.forge_schema'), to_regclass('forge_schema'))::text as name",
      );
      const [schema] = table?.name ? await ask<{ version: number }>(`select version from ${table.name}`) : [];
      const programs = await ask<{ name: string }>(
        "select distinct application_name as name from pg_stat_activity where datname = current_database()",
      );
      return {
        schema: schema?.version,
        now: Number(clock?.now),
        programs: programs.map(({ name }) => name),
        shown: address.shown,
      };
    } finally {
      client.release();
    }
  } catch (error) {
    throw explainPostgres(error, address);
  } finally {
    await pool.end();
  }
}
