import type { Database } from "../../../platform/db/database.ts";
import { type LedgerEntry, limits, relayMark } from "../model.ts";
import { fromRow } from "../rows.ts";
import type { LedgerTables } from "../schema.ts";

/** What is typed for an argument is nothing that was done. */
const kinds = ["tool", "prompt", "resource", "command"];

/**
 * Which entries of this ledger a server has yet to be told. Only those with its mark: what was done while the person was
 * signed in elsewhere, or nowhere, is not that server's to know.
 */
export class Untold {
  readonly mark: string;
  readonly #database: Database<LedgerTables>;

  constructor(database: Database<unknown>, recipient: string) {
    this.#database = database.forTables<LedgerTables>();
    this.mark = relayMark(recipient);
  }

  /** The oldest of them, and after which entry they come. One that changes comes again. */
  next(): Promise<{ after: number; entries: LedgerEntry[] }> {
    return this.#database.read(async (db) => {
      const told = await db.selectFrom("ledger_told").select("seq").where("mark", "=", this.mark).executeTakeFirst();
      const after = told?.seq ?? 0;
      const rows = await db
        .selectFrom("ledger_entry")
        .selectAll()
        .where("seq", ">", after)
        .where("seq", "in", db.selectFrom("ledger_about").select("seq").where("about", "=", this.mark))
        .where("outcome", "!=", "open")
        .where("kind", "in", kinds)
        .orderBy("seq")
        .limit(limits.relayed)
        .execute();
      return { after, entries: rows.map((row) => fromRow(row, () => false)) };
    });
  }

  /** Another process may have told the same meanwhile, and more: then this changes nothing. */
  async told(after: number, upTo: number): Promise<void> {
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
