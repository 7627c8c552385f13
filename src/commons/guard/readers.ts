import type { Principal } from "../../kernel/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import { agentOf, callerOf, unnamedAgent } from "./guarded-change.ts";
import type { GuardTables } from "./schema.ts";

const hour = 3_600_000;

/** How long a reading counts; how old a note may be before a new reading renews it; for how many callers. */
const memory = { countsMs: 24 * hour, renewMs: hour, callers: 1_000 };

/** Who has read what others wrote. */
export class Readers {
  readonly #database: Database<GuardTables>;
  readonly #now: () => number;
  /** When each was last written down, so that most readings cost nothing. */
  readonly #noted = new Map<string, number>();

  constructor(database: Database<GuardTables>, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  async note(principal: Principal): Promise<void> {
    const read_at = this.#now();
    const caller = callerOf(principal);
    const last = this.#noted.get(caller);
    if (last !== undefined && Math.abs(read_at - last) < memory.renewMs) return;
    const row = { principal: principal.id, agent: agentOf(principal), read_at };
    await this.#database.transaction(async (tx) => {
      await tx
        .deleteFrom("untrusted_reader")
        .where("read_at", "<=", read_at - memory.countsMs)
        .execute();
      await tx
        .insertInto("untrusted_reader")
        .values(row)
        .onConflict((conflict) => conflict.columns(["principal", "agent"]).doUpdateSet({ read_at }))
        .execute();
    });
    if (this.#noted.size >= memory.callers) this.#noted.clear();
    this.#noted.set(caller, read_at);
  }

  /**
   * An assistant without a name may be any of the principal's, and any of them may have been the one without a name. A reading
   * in the future counts too: the clock was set back, and how long ago it was is not known.
   */
  async hasRead(principal: Principal): Promise<boolean> {
    const agent = agentOf(principal);
    const rows = await this.#database.read((db) =>
      db
        .selectFrom("untrusted_reader")
        .select("agent")
        .where("principal", "=", principal.id)
        .where("read_at", ">", this.#now() - memory.countsMs)
        .execute(),
    );
    return rows.some((row) => row.agent === agent || row.agent === unnamedAgent || agent === unnamedAgent);
  }
}
