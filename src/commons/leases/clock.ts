import { sql } from "kysely";
import type { Engine, Reads } from "../../platform/db/types.ts";

/**
 * The time all holders of leases agree on, in milliseconds from some beginning. On PostgreSQL it is the server's. A SQLite
 * file has one machine, so there it is the time since that machine started: nobody can set it, and all processes share it.
 */
export async function agreedTime<Schema>(db: Pick<Reads<Schema>, "getExecutor">, engine: Engine): Promise<number> {
  if (engine === "sqlite") return machineTime();
  const { rows } = await sql<{ now: number }>`select ${sql.raw(serverTime)} as now`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("PostgreSQL did not return the time.");
  return row.now;
}

export function machineTime(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** PostgreSQL's, in its own words. */
export const serverTime = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";

/**
 * Whether something seen at that time still counts. In both directions: a restarted machine, or a server's clock set back by
 * more than `ttlMs`, ends it too; set back by less, it lasts that much longer.
 */
export function isRecent(seenAt: number, now: number, ttlMs: number): boolean {
  return Math.abs(now - seenAt) < ttlMs;
}
