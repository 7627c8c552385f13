import type { Transaction } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { runSql } from "../../platform/db/run-sql.ts";
import type { Reads } from "../../platform/db/types.ts";
import type { GuardTables } from "./schema.ts";
import type { Seal } from "./seal.ts";

type MarkRow = GuardTables["guard_mark"];

/** A text or a file that something was decided about, with the hash of what it said then. */
export type MarkedText = Pick<MarkRow, "kind" | "subject" | "sha256">;

/** That a person started a ticket, or wrote it. The mark goes when others change its text. */
export function adoptedTicket(id: string): MarkedText {
  return { kind: "adopted", subject: `ticket:${id}`, sha256: "" };
}

/** SQLite limits the values of one statement. */
const maxAsked = 500;

type MarksOptions = { database: Database<GuardTables>; seal: Seal; now: () => number };

/**
 * What is remembered of texts and files: that a caller wrote one after reading text by others (`foreign`), that the user took
 * one over (`adopted`), or that the user allowed what was in one (`allowed`). The last two carry the user's seal.
 */
export class Marks {
  readonly #database: Database<GuardTables>;
  readonly #seal: Seal;
  readonly #now: () => number;

  constructor({ database, seal, now }: MarksOptions) {
    this.#database = database;
    this.#seal = seal;
    this.#now = now;
  }

  /** Writes nothing where the mark is there already. */
  async add(text: MarkedText, by: string): Promise<void> {
    if (await this.has(text)) return;
    const { kind, subject, sha256 } = text;
    const seal = kind === "foreign" ? "" : (await this.#seal.toMark()).mark(["mark", kind, subject, sha256]);
    const row = { sha256, by, at: this.#now(), seal };
    await this.#database.transaction((tx) =>
      tx
        .insertInto("guard_mark")
        .values({ kind, subject, ...row })
        .onConflict((conflict) => conflict.columns(["kind", "subject"]).doUpdateSet(row))
        .execute(),
    );
  }

  /** Marks a text of others in the transaction that stores it: there is no moment when it is there without its mark. */
  async addForeign<Schema>(tx: Transaction<Schema>, subject: string, by: string): Promise<void> {
    const row = { kind: "foreign", subject, sha256: "", by, at: this.#now(), seal: "" } as const;
    await (tx as unknown as Transaction<GuardTables>)
      .insertInto("guard_mark")
      .values(row)
      .onConflict((conflict) => conflict.columns(["kind", "subject"]).doNothing())
      .execute();
  }

  /** The same for a text that replaces it and is nobody else's. */
  async removeForeign<Schema>(tx: Transaction<Schema>, subject: string): Promise<void> {
    const marks = (tx as unknown as Transaction<GuardTables>).deleteFrom("guard_mark");
    await marks.where("kind", "=", "foreign").where("subject", "=", subject).execute();
  }

  /** Whether it is marked as it is now. A decision that this user did not seal does not count. */
  async has({ kind, subject, sha256 }: MarkedText): Promise<boolean> {
    const row = await this.#find(kind, subject);
    if (!row) return false;
    if (kind === "foreign") return true;
    if (row.sha256 !== sha256) return false;
    return (await this.#seal.toCheck()).fits(["mark", kind, subject, sha256], row.seal);
  }

  /** Whether one of these was written after reading text by others. */
  async hasForeign(subjects: readonly string[]): Promise<boolean> {
    for (let at = 0; at < subjects.length; at += maxAsked) {
      const asked = subjects.slice(at, at + maxAsked);
      const row = await this.#database.read((db) =>
        db
          .selectFrom("guard_mark")
          .select("subject")
          .where("kind", "=", "foreign")
          .where("subject", "in", asked)
          .executeTakeFirst(),
      );
      if (row) return true;
    }
    return false;
  }

  async remove(kind: MarkRow["kind"], subject: string): Promise<void> {
    await this.#database.transaction((tx) =>
      tx.deleteFrom("guard_mark").where("kind", "=", kind).where("subject", "=", subject).execute(),
    );
  }

  async #find(kind: MarkRow["kind"], subject: string) {
    const [one, two] = this.#database.engine === "postgres" ? ["$1", "$2"] : ["?", "?"];
    const text = `select sha256, seal from guard_mark where kind = ${one} and subject = ${two}`;
    const find = (db: Reads<GuardTables>) => runSql<Pick<MarkRow, "sha256" | "seal">>(db, text, [kind, subject]);
    return (await this.#database.read(find))[0];
  }
}
