import type { TextOrigin } from "../../kernel/calls/call.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import { agentOf, callerOf, unnamedAgent } from "./guarded-change.ts";
import type { GuardTables } from "./schema.ts";

const hour = 3_600_000;

/** How long a reading counts; how old a note may be before a new reading renews it; for how many callers. */
const memory = { countsMs: 24 * hour, renewMs: hour, callers: 1_000 };

type ReadersOptions = {
  database: Database<GuardTables>;
  now: () => number;
  /** Whether the repository's text counts as the user's own now. */
  isTrusted: () => Promise<boolean>;
};

/** Who has read what others wrote. */
export class Readers {
  readonly #database: Database<GuardTables>;
  readonly #now: () => number;
  readonly #isTrusted: () => Promise<boolean>;
  /** When each was last written down, so that most readings cost nothing. */
  readonly #noted = new Map<string, number>();

  constructor({ database, now, isTrusted }: ReadersOptions) {
    this.#database = database;
    this.#now = now;
    this.#isTrusted = isTrusted;
  }

  async note(principal: Principal, from: TextOrigin): Promise<void> {
    const now = this.#now();
    const key = `${from} ${callerOf(principal)}`;
    const last = this.#noted.get(key);
    if (last !== undefined && Math.abs(now - last) < memory.renewMs) return;
    if (from === "repository" && (await this.#isTrusted())) return;
    const reading = from === "others" ? { read_at: now } : { repository_read_at: now };
    const row = { principal: principal.id, agent: agentOf(principal), read_at: 0, ...reading };
    const tooOld = now - memory.countsMs;
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
    if (this.#noted.size >= memory.callers) this.#noted.clear();
    this.#noted.set(key, now);
  }

  /**
   * An assistant without a name may be any of the principal's, and any of them may have been the one without a name. A reading
   * in the future counts too: the clock was set back, and how long ago it was is not known.
   */
  async hasRead(principal: Principal): Promise<boolean> {
    const agent = agentOf(principal);
    const since = this.#now() - memory.countsMs;
    const rows = await this.#database.read((db) =>
      db
        .selectFrom("untrusted_reader")
        .select(["agent", "read_at", "repository_read_at"])
        .where("principal", "=", principal.id)
        .execute(),
    );
    const own = rows.filter((row) => row.agent === agent || row.agent === unnamedAgent || agent === unnamedAgent);
    if (own.some(({ read_at }) => read_at > since)) return true;
    // Trusting the project makes its text the user's own, also what was read before.
    return own.some(({ repository_read_at }) => repository_read_at > since) && !(await this.#isTrusted());
  }
}
