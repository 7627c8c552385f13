import type { AccessStore, Tx } from "../store/store.ts";
import { hashOf } from "../tokens/secrets.ts";
import { networkOf } from "./network.ts";

const second = 1000;
const minute = 60 * second;

/** How often something may fail before it is refused without checking, and for how long. */
type Limit = {
  subject: string;
  maxFailures: number;
  lockMs(failures: number): number;
  /** How long after the last failure the earlier ones no longer count. */
  forgetMs: number;
};

/** Each further failure doubles the wait: 30 seconds, one minute, two … up to 15 minutes. */
function growingLock(maxFailures: number): Pick<Limit, "maxFailures" | "lockMs" | "forgetMs"> {
  const lockMs = (failures: number) => Math.min(30 * second * 2 ** Math.min(failures - maxFailures, 10), 15 * minute);
  return { maxFailures, lockMs, forgetMs: 60 * minute };
}

const fixedLock: Pick<Limit, "maxFailures" | "lockMs" | "forgetMs"> = {
  maxFailures: 5,
  lockMs: () => 15 * minute,
  forgetMs: 15 * minute,
};

/** An address may be shared by an office, so it may fail more often than one account. */
export function signInLimits(email: string, address: string): [account: Limit, address: Limit] {
  return [
    { subject: `sign-in account ${hashOf(email)}`, ...growingLock(5) },
    { subject: `sign-in address ${hashOf(networkOf(address))}`, ...growingLock(20) },
  ];
}

export function userCodeLimits(address: string, userId: string | undefined): Limit[] {
  const limits = [{ subject: `user-code address ${hashOf(networkOf(address))}`, ...fixedLock }];
  return userId === undefined ? limits : [...limits, { subject: `user-code account ${userId}`, ...fixedLock }];
}

/** Failures, counted in the database: they outlive the process, and all processes of a server share them. */
export class Lockouts {
  readonly #store: AccessStore;

  constructor(store: AccessStore) {
    this.#store = store;
  }

  /** How much longer it is refused; 0 if it is not. */
  async leftMs(tx: Tx, limits: readonly Limit[]): Promise<number> {
    const subjects = limits.map(({ subject }) => subject);
    const rows = await tx
      .selectFrom("access_lockout")
      .select("locked_until")
      .where("subject", "in", subjects)
      .execute();
    return Math.max(0, ...rows.map((row) => row.locked_until - this.#store.now()));
  }

  /** Counts a failure; returns for how long it locks, if it was one too many. */
  async count(tx: Tx, limits: readonly Limit[]): Promise<number> {
    const now = this.#store.now();
    await tx
      .deleteFrom("access_lockout")
      .where("failed_at", "<", now - 60 * minute)
      .execute();
    let lockedMs = 0;
    for (const limit of limits) {
      const row = await this.#row(tx, limit);
      const failures = (row && now - row.failed_at < limit.forgetMs ? row.failures : 0) + 1;
      const lockMs = failures >= limit.maxFailures ? limit.lockMs(failures) : 0;
      lockedMs = Math.max(lockedMs, lockMs);
      const values = { failures, failed_at: now, locked_until: lockMs > 0 ? now + lockMs : 0 };
      await tx
        .insertInto("access_lockout")
        .values({ subject: limit.subject, ...values })
        .onConflict((conflict) => conflict.column("subject").doUpdateSet(values))
        .execute();
    }
    return lockedMs;
  }

  async forget(tx: Tx, { subject }: Limit): Promise<void> {
    await tx.deleteFrom("access_lockout").where("subject", "=", subject).execute();
  }

  /** Takes back what was counted before it was known to be a success. */
  async uncount(tx: Tx, limit: Limit): Promise<void> {
    const row = await this.#row(tx, limit);
    if (!row) return;
    const failures = row.failures - 1;
    const locked_until = failures < limit.maxFailures ? 0 : row.locked_until;
    await tx
      .updateTable("access_lockout")
      .set({ failures, locked_until })
      .where("subject", "=", limit.subject)
      .execute();
  }

  #row(tx: Tx, { subject }: Limit) {
    return tx.selectFrom("access_lockout").selectAll().where("subject", "=", subject).executeTakeFirst();
  }
}
