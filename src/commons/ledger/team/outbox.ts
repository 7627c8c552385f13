import type { Database } from "../../../platform/db/database.ts";
import { type LedgerEntry, limits, relayMark } from "../model.ts";
import { fromRow } from "../rows.ts";
import type { LedgerTables } from "../schema.ts";

/** Completions are not sent. */
const kinds = ["tool", "prompt", "resource", "command"];

/**
 * The entries of this ledger that a server has not got yet. Only those with its mark: what was done while the user was signed
 * in elsewhere, or not at all, is not sent to it.
 */
export class Outbox {
  readonly mark: string;
  readonly #database: Database<LedgerTables>;

  constructor(database: Database<unknown>, recipient: string) {
    this.#database = database.forTables<LedgerTables>();
    this.mark = relayMark(recipient);
  }

  /** The oldest of them, and the entry they come after. An entry that changes comes again. */
  next(): Promise<{ after: number; entries: LedgerEntry[] }> {
    return this.#database.read(async (db) => {
      const markSent = await db
        .selectFrom("ledger_told")
        .select("seq")
        .where("mark", "=", this.mark)
        .executeTakeFirst();
      const after = markSent?.seq ?? 0;
      const rows = await db
        .selectFrom("ledger_entry")
        .selectAll()
        .where("seq", ">", after)
        .where("seq", "in", db.selectFrom("ledger_about").select("seq").where("about", "=", this.mark))
        .where("outcome", "!=", "open")
        .where("kind", "in", kinds)
        .orderBy("seq")
        .limit(limits.maxPerMessage)
        .execute();
      return { after, entries: rows.map((row) => fromRow(row, () => false)) };
    });
  }

  /** Whether this ledger has entries that were meant for a server, whichever. */
  static hasAny(database: Database<unknown>): Promise<boolean> {
    return database.forTables<LedgerTables>().read(async (db) => {
      const marked = db
        .selectFrom("ledger_about")
        .select("seq")
        .where("about", "like", `${relayMark("")}%`);
      return (await marked.limit(1).executeTakeFirst()) !== undefined;
    });
  }

  /** Whether anything was ever meant for this server. */
  isUsed(): Promise<boolean> {
    return this.#database.read(async (db) => {
      const marked = db.selectFrom("ledger_about").select("seq").where("about", "=", this.mark);
      return (await marked.limit(1).executeTakeFirst()) !== undefined;
    });
  }

  /** Another process may have sent the same in the meantime, and more: then this changes nothing. */
  async markSent(after: number, upTo: number): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await tx
        .insertInto("ledger_told")
        .values({ mark: this.mark, seq: 0 })
        .onConflict((conflict) => conflict.column("mark").doNothing())
        .execute();
      await tx
        .updateTable("ledger_told")
        .set({ seq: upTo })
        .where("mark", "=", this.mark)
        .where("seq", "=", after)
        .execute();
    });
  }
}
