import { sql, type Transaction } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { Reads } from "../../platform/db/types.ts";
import { agreedTime, isRecent, machineTime, serverTime } from "./clock.ts";
import { leaseLost } from "./errors.ts";
import { LeaseQueue } from "./lease-queue.ts";
import type { LeaseTables } from "./schema.ts";

/** The right to be the only one to do something, for a while. The token is greater than any given for this name before. */
export type Lease = { name: string; holder: string; token: number; ttlMs: number };

/** A lease that is held, and how long it still lasts if it is not renewed. */
export type CurrentLease = Lease & { leftMs: number };

export type LeaseRequest = { name: string; holder: string; ttlMs: number };

/** The column that {@link Leases.joined} adds to a row: one, as most have no lease and every column costs. */
export type JoinedLease = { lease: string | null };

type JoinedColumns = [
  name: string,
  token: number,
  holder: string,
  ttlMs: number,
  renewedAt: number,
  now: number | null,
];

const joinedParts =
  "cast(lease.name as text), cast(lease.token as bigint), cast(lease.holder as text), cast(lease.ttl_ms as bigint), cast(lease.renewed_at as bigint)";

/** On SQLite the machine's own time counts. */
const joinedAs = {
  sqlite: `json_array(${joinedParts}, null)`,
  postgres: `cast(json_build_array(${joinedParts}, ${serverTime}) as text)`,
};

type Wait = { waitMs: number; signal: AbortSignal };

type Tx = Transaction<LeaseTables>;

/**
 * Leases on names (`ticket:T-001`, `commit:main`). After `ttlMs` without a renewal others may take one; until somebody does it
 * is still its holder's. Time only decides who may try: the token, which {@link Leases.guard} checks in the transaction of the
 * change, makes sure that nobody acts on a lease that was lost.
 */
export class Leases {
  readonly #database: Database<LeaseTables>;
  readonly #queue: LeaseQueue;

  constructor(database: Database<unknown>) {
    this.#database = database.forTables<LeaseTables>();
    this.#queue = new LeaseQueue(this.#database);
  }

  /** The lease, or undefined where somebody has it or has waited for it longer. */
  claim(claim: LeaseRequest): Promise<Lease | undefined> {
    return this.#database.transaction((tx) => this.#take(tx, claim, undefined));
  }

  /** The same inside the caller's own transaction, so that what goes with the claim is there with it or not at all. */
  claimIn<Schema>(tx: Transaction<Schema>, claim: LeaseRequest): Promise<Lease | undefined> {
    return this.#take(tx as unknown as Tx, claim, undefined);
  }

  /** The lease as soon as it is free, first come first served; a CONFLICT_ERROR after `waitMs`, never before. */
  async wait(claim: LeaseRequest, wait: Wait): Promise<Lease> {
    const atOnce = await this.claim(claim);
    if (atOnce) return atOnce;
    return this.#queue.wait(claim.name, wait, {
      holder: async () => (await this.current(claim.name))?.holder,
      attempt: (waiter) => this.#database.transaction((tx) => this.#take(tx, claim, waiter)),
    });
  }

  /** Makes it last `ttlMs` from now, also where it had expired but nobody has taken it. */
  async renew(lease: Lease): Promise<void> {
    await this.#database.transaction((tx) => this.renewIn(tx, lease));
  }

  async renewIn<Schema>(tx: Transaction<Schema>, { name, token, ttlMs }: Lease): Promise<void> {
    await this.guard(tx, name, token);
    const inTx = tx as unknown as Tx;
    const now = await agreedTime(inTx, this.#database.engine);
    await inTx.updateTable("lease").set({ renewed_at: now, ttl_ms: ttlMs }).where("name", "=", name).execute();
  }

  /** Gives it back; nothing happens where it was lost. */
  async release(lease: Lease): Promise<void> {
    await this.#database.transaction((tx) => this.releaseIn(tx, lease));
  }

  async releaseIn<Schema>(tx: Transaction<Schema>, { name, token }: Lease): Promise<void> {
    const inTx = tx as unknown as Tx;
    await inTx.updateTable("lease").set({ holder: null }).where("name", "=", name).where("token", "=", token).execute();
  }

  /** Who has it; undefined where it is free. */
  async current(name: string): Promise<CurrentLease | undefined> {
    const [held] = await this.#database.read((db) => this.readHeld(db, [name]));
    return held;
  }

  /** Those of these names that somebody has, as this reader or transaction sees it. */
  async readHeld<Schema>(
    reader: Pick<Reads<Schema>, "getExecutor">,
    names: readonly string[],
  ): Promise<CurrentLease[]> {
    if (names.length === 0) return [];
    const db = reader as unknown as Reads<LeaseTables>;
    const rows = await rowsOf(db, names);
    if (rows.length === 0) return [];
    const now = await agreedTime(db, this.#database.engine);
    return rows.flatMap((row) => currentOf(row, now) ?? []);
  }

  /** Everything of this beginning that somebody has. */
  async readHeldByPrefix<Schema>(reader: Pick<Reads<Schema>, "getExecutor">, prefix: string): Promise<CurrentLease[]> {
    const db = reader as unknown as Reads<LeaseTables>;
    const { rows } = await sql<LeaseTables["lease"]>`
      select * from lease where holder is not null and substr(name, 1, ${sql.lit(prefix.length)}) = ${prefix}`.execute(
      db,
    );
    if (rows.length === 0) return [];
    const now = await agreedTime(db, this.#database.engine);
    return rows.flatMap((row) => currentOf(row, now) ?? []);
  }

  /** For a query that asks for something and its lease at once: it joins `lease` and selects this too. */
  get joined(): string {
    return `case when lease.holder is null then null else ${joinedAs[this.#database.engine]} end as lease`;
  }

  /** What such a row says. */
  toCurrentLease(row: JoinedLease): CurrentLease | undefined {
    if (row.lease === null) return undefined;
    const [name, token, holder, ttl_ms, renewed_at, now] = JSON.parse(row.lease) as JoinedColumns;
    return currentOf({ name, token, holder, ttl_ms, renewed_at }, now ?? machineTime());
  }

  /**
   * Throws a CONFLICT_ERROR unless this token's lease is still held. Call it first in the transaction of the change: until
   * that ends nobody else gets the lease.
   */
  async guard<Schema>(tx: Transaction<Schema>, name: string, token: number): Promise<void> {
    const inTx = tx as unknown as Tx;
    const row = await inTx
      .selectFrom("lease")
      .select(["token", "holder"])
      .where("name", "=", name)
      .$if(this.#database.engine === "postgres", (query) => query.forShare())
      .executeTakeFirst();
    if (!row || row.token !== token || row.holder === null) throw leaseLost(name, token, row);
  }

  async #take(tx: Tx, { name, holder, ttlMs }: LeaseRequest, waiter: string | undefined): Promise<Lease | undefined> {
    const now = await agreedTime(tx, this.#database.engine);
    const row = await tx.selectFrom("lease").selectAll().where("name", "=", name).executeTakeFirst();
    if (row && row.holder !== null && isRecent(row.renewed_at, now, row.ttl_ms)) return undefined;
    if (!(await this.#queue.isFirst(tx, name, waiter, now))) return undefined;
    const token = (row?.token ?? 0) + 1;
    const values = { token, holder, ttl_ms: ttlMs, renewed_at: now };
    await tx
      .insertInto("lease")
      .values({ name, ...values })
      .onConflict((conflict) => conflict.column("name").doUpdateSet(values))
      .execute();
    if (waiter !== undefined) await this.#queue.leave(tx, waiter);
    return { name, holder, token, ttlMs };
  }
}

function currentOf(row: LeaseTables["lease"], now: number): CurrentLease | undefined {
  const { name, holder, token, ttl_ms: ttlMs, renewed_at } = row;
  if (holder === null || !isRecent(renewed_at, now, ttlMs)) return undefined;
  return { name, holder, token, ttlMs, leftMs: Math.max(0, renewed_at + ttlMs - now) };
}

/** One by one with a query that is written out: the query builder would cost more than the query. */
async function rowsOf(db: Reads<LeaseTables>, names: readonly string[]): Promise<LeaseTables["lease"][]> {
  const [name] = names;
  if (names.length > 1) return db.selectFrom("lease").selectAll().where("name", "in", names).execute();
  const { rows } = await sql<LeaseTables["lease"]>`select * from lease where name = ${name}`.execute(db);
  return rows;
}
