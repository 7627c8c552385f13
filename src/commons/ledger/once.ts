import type { Transaction } from "kysely";
import type { Once } from "../../kernel/calls/call.ts";
import type { Database } from "../../platform/db/database.ts";
import { changeAlreadyMade } from "./errors.ts";
import { parseTexts } from "./rows.ts";
import type { LedgerTables } from "./schema.ts";

const livesMs = 24 * 3_600_000;
const forgottenEveryMs = 600_000;

/** What became of a request that carried a key. */
export type OnceDone = {
  request: string;
  /** What the caller was told, as it was handed to `keep`; undefined where that is not known, or was a secret. */
  answer: string | undefined;
  /** What the change was about, where the ledger still has its entry. */
  about: string[];
};

/** The keys of requests whose changes were made. A key is kept for 24 hours. */
export class OnceKeys {
  readonly #database: Database<LedgerTables>;
  readonly #now: () => number;
  #forgottenAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database<LedgerTables>, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** In the transaction of the change: throws, and so undoes the change, if the key was used before. */
  async take(tx: Transaction<LedgerTables>, once: Once, call: string): Promise<void> {
    if (once.state === "kept") return;
    // This may be run again; what an earlier run found may not have been kept.
    once.state = "free";
    await tx.deleteFrom("ledger_once").where("key", "=", once.key).where("at", "<=", this.#oldest()).execute();
    const taken = await tx
      .insertInto("ledger_once")
      .values({ key: once.key, request_hash: once.request, at: this.#now(), call, answer: null })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .returning("key")
      .executeTakeFirst();
    if (taken) return;
    once.state = "taken";
    throw changeAlreadyMade();
  }

  /** Remembers what the caller is told. Where nothing was changed, the key is taken only now. */
  async keep(once: Once, call: string, answer: string | undefined): Promise<void> {
    await this.#database.transaction(async (tx) => {
      if (once.state !== "kept") await this.take(tx, once, call);
      await tx
        .updateTable("ledger_once")
        .set({ answer: answer ?? null })
        .where("key", "=", once.key)
        .execute();
    });
    await this.#forgetOld();
  }

  async find(key: string): Promise<OnceDone | undefined> {
    return this.#database.read(async (db) => {
      const row = await db
        .selectFrom("ledger_once")
        .leftJoin("ledger_entry", "ledger_entry.id", "ledger_once.call")
        .select(["request_hash", "answer", "about"])
        .where("key", "=", key)
        .where("ledger_once.at", ">", this.#oldest())
        .executeTakeFirst();
      if (!row) return undefined;
      return { request: row.request_hash, answer: row.answer ?? undefined, about: parseTexts(row.about ?? "[]") };
    });
  }

  async #forgetOld(): Promise<void> {
    const now = this.#now();
    if (Math.abs(now - this.#forgottenAt) < forgottenEveryMs) return;
    this.#forgottenAt = now;
    await this.#database.transaction((tx) => tx.deleteFrom("ledger_once").where("at", "<=", this.#oldest()).execute());
  }

  #oldest(): number {
    return this.#now() - livesMs;
  }
}
