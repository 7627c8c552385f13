import { Kysely, PostgresDialect } from "kysely";
import { openPool, type PoolLimits } from "./pool.ts";

/** A PostgreSQL database besides the program's store: it has no migrations, and writers do not wait for each other. */
export async function openSideDatabase<Schema>(url: string, limits: Partial<PoolLimits>): Promise<Kysely<Schema>> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: await openPool(url, undefined, limits) }) });
}
