import type { TextOrigin } from "../../kernel/calls/call.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import { agentOf, callerOf, unnamedAgent } from "./guarded-change.ts";
import type { GuardTables } from "./schema.ts";
import type { UserReadings } from "./user-readings.ts";

const hour = 3_600_000;

export const readingCountsMs = 24 * hour;

/**
 * How old a note may be before a new reading renews it, for how many callers; how long it is known that a caller has read
 * anything: as long as the ledger keeps its calls by default.
 */
const memory = { renewMs: hour, callers: 1_000, knownMs: 90 * 24 * hour };

type ReadersOptions = {
  database: Database<GuardTables>;
  now: () => number;
  /** Whether the repository's text counts as the user's own now. */
  isTrusted: () => Promise<boolean>;
  /** Those in all projects of the user. */
  everywhere?: Pick<UserReadings, "note"> | undefined;
};

type KnownCaller = Pick<GuardTables["untrusted_reader"], "principal" | "agent">;

/** Who has read what others wrote. */
export class Readers {
  readonly #database: Database<GuardTables>;
  readonly #now: () => number;
  readonly #isTrusted: () => Promise<boolean>;
  readonly #everywhere: ReadersOptions["everywhere"];
  /** When each was last written down, so that most readings cost nothing. */
  readonly #noted = new Map<string, number>();

  constructor({ database, now, isTrusted, everywhere }: ReadersOptions) {
    this.#database = database;
    this.#now = now;
    this.#isTrusted = isTrusted;
    this.#everywhere = everywhere;
  }

  async note(principal: Principal, from: TextOrigin): Promise<void> {
    const now = this.#now();
    const key = `${from} ${callerOf(principal)}`;
    const last = this.#noted.get(key);
    if (last !== undefined && Math.abs(now - last) < memory.renewMs) return;
    if (from === "repository" && (await this.#isTrusted())) return;
    const reading = from === "others" ? { read_at: now } : { repository_read_at: now };
    const row = { principal: principal.id, agent: agentOf(principal), read_at: 0, ...reading };
    const tooOld = now - memory.knownMs;
    await this.#database.transaction(async (tx) => {
      await tx
        .deleteFrom("untrusted_reader")
        .where("read_at", "<=", tooOld)
        .where("repository_read_at", "<=", tooOld)
        .execute();
      await tx
        .insertInto("untrusted_reader")
        .values(row)
        .onConflict((conflict) => conflict.columns(["principal", "agent"]).doUpdateSet(reading))
        .execute();
    });
    if (this.#everywhere && !(await this.#everywhere.note(from))) return;
    if (this.#noted.size >= memory.callers) this.#noted.clear();
    this.#noted.set(key, now);
  }

  /** Whether one of these callers has read text by others at any time: what it called things may be their words. */
  async hasEverRead(callers: readonly KnownCaller[]): Promise<boolean> {
    const rows = await this.#database.read((db) => db.selectFrom("untrusted_reader").selectAll().execute());
    const read = rows.filter((row) => callers.some((caller) => isSame(caller, row)));
    return read.some(({ read_at }) => read_at > 0) || (read.length > 0 && !(await this.#isTrusted()));
  }

  /**
   * An assistant without a name may be any of the principal's, and any of them may have been the one without a name. A reading
   * in the future counts too: the clock was set back, and how long ago it was is not known.
   */
  async hasRead(principal: Principal): Promise<boolean> {
    const caller = { principal: principal.id, agent: agentOf(principal) };
    const since = this.#now() - readingCountsMs;
    const rows = await this.#database.read((db) => db.selectFrom("untrusted_reader").selectAll().execute());
    const own = rows.filter((row) => isSame(row, caller));
    if (own.some(({ read_at }) => read_at > since)) return true;
    // Trusting the project makes its text the user's own, also what was read before.
    return own.some(({ repository_read_at }) => repository_read_at > since) && !(await this.#isTrusted());
  }
}

function isSame(one: KnownCaller, other: KnownCaller): boolean {
  const isSameAgent = one.agent === other.agent || one.agent === unnamedAgent || other.agent === unnamedAgent;
  return isSameAgent && (one.principal === other.principal || (isLocal(one) && isLocal(other)));
}

/** The user of this machine. What they are called may come from a team's server, and be another name in the next process. */
function isLocal({ principal }: KnownCaller): boolean {
  return principal.startsWith("local:");
}
