import type { AccessStore, Tx } from "../store/store.ts";
import { hashOf } from "../tokens/secrets.ts";
import { networkOf } from "./network.ts";

const second = 1000;
const minute = 60 * second;

/** How often something may fail, and what happens then. */
type Limit = {
  subject: string;
  maxFailures: number;
  /** How long the next attempt waits, or how long none is made. */
  lockMs(failures: number): number;
  /** How long after the last failure the earlier ones no longer count. */
  forgetMs: number;
  /** Attempts wait for each other, so that many at once are no faster than one after another. */
  isQueue?: true;
};

/** The longest wait after one failure. */
const maxDelayMs = minute;
/** Attempts for one account from one address wait for each other up to this; more are not counted or checked. */
export const maxQueueMs = 10 * minute;

/** Each further failure doubles the wait: one second, two, four … up to a minute. */
function growingDelay(maxFailures: number): Pick<Limit, "maxFailures" | "lockMs" | "forgetMs"> {
  const lockMs = (failures: number) => Math.min(second * 2 ** Math.min(failures - maxFailures, 10), maxDelayMs);
  return { maxFailures, lockMs, forgetMs: 60 * minute };
}

const fixedLock: Pick<Limit, "maxFailures" | "lockMs" | "forgetMs"> = {
  maxFailures: 5,
  lockMs: () => 15 * minute,
  forgetMs: 15 * minute,
};

/**
 * Who guesses waits; who knows the password gets in, whatever others do. Guesses for one account from one address queue up. An
 * account that is guessed at from many addresses, or an address that tries many accounts, only makes everyone there wait a little.
 */
export function signInLimits(email: string, address: string): [pair: Limit, account: Limit, address: Limit] {
  const [account, network] = [hashOf(email), hashOf(networkOf(address))];
  return [
    { subject: `sign-in pair ${account} ${network}`, ...growingDelay(5), isQueue: true },
    { subject: `sign-in account ${account}`, ...growingDelay(20) },
    { subject: `sign-in address ${network}`, ...growingDelay(20) },
  ];
}

/** Where a device's code came from: a page of any site can make a person open a link, but cannot type for them. */
export type CodeSource = "typed" | "link";

/** Wrong codes count for who sent them; others behind the same address are not affected. Links that others send lock no more than links. */
export function userCodeLimits(session: string, userId: string, source: CodeSource): Limit[] {
  const kind = source === "link" ? "user-code-link" : "user-code";
  return [
    { subject: `${kind} session ${hashOf(session)}`, ...fixedLock },
    { subject: `${kind} account ${userId}`, ...fixedLock },
  ];
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
    await this.#forgetOld(tx, now);
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

  /** Counts an attempt before it is made; returns how long it waits first. */
  async delay(tx: Tx, limits: readonly Limit[]): Promise<number> {
    const now = this.#store.now();
    await this.#forgetOld(tx, now);
    let waitMs = 0;
    for (const limit of limits) {
      const row = await this.#row(tx, limit);
      const failures = row && now - row.failed_at < limit.forgetMs ? row.failures : 0;
      const delayMs = failures < limit.maxFailures ? 0 : limit.lockMs(failures);
      const start = (limit.isQueue ? Math.max(now, row?.locked_until ?? 0) : now) + delayMs;
      waitMs = Math.max(waitMs, start - now);
      if (start - now > maxQueueMs) return start - now;
      const values = { failures: failures + 1, failed_at: now, locked_until: limit.isQueue ? start : 0 };
      await tx
        .insertInto("access_lockout")
        .values({ subject: limit.subject, ...values })
        .onConflict((conflict) => conflict.column("subject").doUpdateSet(values))
        .execute();
    }
    return waitMs;
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

  /** Anybody can have one counted for any address: they must not fill the disk. */
  async #forgetOld(tx: Tx, now: number): Promise<void> {
    await tx
      .deleteFrom("access_lockout")
      .where("failed_at", "<", now - 60 * minute)
      .execute();
  }

  #row(tx: Tx, { subject }: Limit) {
    return tx.selectFrom("access_lockout").selectAll().where("subject", "=", subject).executeTakeFirst();
  }
}
