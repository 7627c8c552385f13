import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import { originDetails } from "./fields.ts";
import type { AuditEntry, Origin, SignedIn } from "./ports.ts";
import type { AccessTables } from "./schema.ts";
import { sameHash } from "./secrets.ts";
import type { AccessStore, Db, Tx } from "./store.ts";

type Row = Selectable<AccessTables["access_audit"]>;
type Happening = { actor: string; action: string; target: string; details?: Record<string, unknown> };

/** The book of what belongs to no team: attempts on accounts that are not there. */
export const serverBook = "";

const beginning = "";
const pageOfCheck = 1000;

/**
 * Who did what, in a book per team. Entries are only ever added, in the very transaction of what they tell: where one cannot
 * be written, nothing happens. Each carries the hash of the one before, so that an edit in the database shows.
 */
export class Audit {
  readonly #store: AccessStore;

  constructor(store: AccessStore) {
    this.#store = store;
  }

  /** What a caller did in their team. */
  async did(tx: Tx, by: SignedIn, action: string, target: string, from: Origin, details = {}): Promise<void> {
    await this.add(tx, [by.team.id], from, {
      actor: by.user.email,
      action,
      target,
      details: { ...details, token: by.tokenId },
    });
  }

  async add(tx: Tx, books: readonly string[], from: Origin, happening: Happening): Promise<void> {
    for (const book of books) await this.#addTo(tx, book, from, happening);
  }

  /** The newest, oldest first, and whether the whole book is as it was written. */
  async read(db: Db, book: string, limit: number): Promise<{ entries: AuditEntry[]; intact: boolean }> {
    const newest = await this.#rows(db, book).orderBy("seq", "desc").limit(limit).execute();
    return { entries: newest.reverse().map(entryFrom), intact: await this.#isIntact(db, book) };
  }

  async #addTo(tx: Tx, book: string, from: Origin, { actor, action, target, details }: Happening): Promise<void> {
    const head = await tx.selectFrom("access_audit_head").selectAll().where("book", "=", book).executeTakeFirst();
    const entry = {
      book,
      seq: (head?.seq ?? 0) + 1,
      at: this.#store.now(),
      actor,
      action,
      target,
      details: JSON.stringify({ ...details, ...originDetails(from) }),
    };
    const hash = chained(head?.hash ?? beginning, entry);
    const end = { seq: entry.seq, hash };
    // The end first: two servers that add at once then collide there, which has one of them try again.
    await tx
      .insertInto("access_audit_head")
      .values({ book, ...end })
      .onConflict((conflict) => conflict.column("book").doUpdateSet(end))
      .execute();
    await tx
      .insertInto("access_audit")
      .values({ ...entry, hash })
      .execute();
  }

  /** The end is read first: what is added meanwhile lies behind it. A book begins with what opened it, so it is never empty. */
  async #isIntact(db: Db, book: string): Promise<boolean> {
    const head = await db.selectFrom("access_audit_head").selectAll().where("book", "=", book).executeTakeFirst();
    if (!head) return false;
    let [seq, hash] = [0, beginning];
    while (seq < head.seq) {
      const page = await this.#rows(db, book)
        .where("seq", ">", seq)
        .where("seq", "<=", head.seq)
        .orderBy("seq")
        .limit(pageOfCheck)
        .execute();
      for (const row of page) {
        if (!sameHash(row.hash, chained(hash, row))) return false;
        ({ seq, hash } = row);
      }
      if (page.length === 0) return false;
    }
    return sameHash(hash, head.hash);
  }

  #rows(db: Db, book: string) {
    return db.selectFrom("access_audit").selectAll().where("book", "=", book);
  }
}

function chained(before: string, { book, seq, at, actor, action, target, details }: Omit<Row, "hash">): string {
  const said = JSON.stringify([before, book, seq, at, actor, action, target, details]);
  return createHash("sha256").update(said).digest("hex");
}

function entryFrom({ seq, at, actor, action, target, details }: Row): AuditEntry {
  return { seq, at: new Date(at).toISOString(), actor, action, target, details: detailsOf(details) };
}

/** An edited entry may be no JSON any more; it is shown all the same. */
function detailsOf(text: string): Record<string, unknown> {
  try {
    const details: unknown = JSON.parse(text);
    if (typeof details === "object" && details !== null) return details as Record<string, unknown>;
  } catch {
    // Told by `intact`.
  }
  return { unreadable: text };
}
