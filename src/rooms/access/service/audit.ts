import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Selectable } from "kysely";
import type { Origin, SignedIn, User } from "../../../commons/people.ts";
import { isRecord } from "../../../kernel/json.ts";
import { needsFirstTeam } from "../model/errors.ts";
import { originDetails } from "../model/fields.ts";
import type { AuditEntry } from "../model/model.ts";
import { requireAdmin } from "../model/roles.ts";
import type { AccessTables } from "../store/schema.ts";
import type { AccessStore, Db, Tx } from "../store/store.ts";
import { sameHash } from "../tokens/secrets.ts";

type Row = Selectable<AccessTables["access_audit"]>;
type AuditEvent = { actor: string; action: string; target: string; details?: Record<string, unknown> };

/** The book of what belongs to no team: attempts on accounts that are not there. */
export const serverBook = "";

const beginning = "";
const pageOfCheck = 1000;
const maxEntries = 1000;

type End = { seq: number; hash: string };

/**
 * Who did what, in a book per team. Entries are only ever added, in the very transaction of what they tell: where one cannot
 * be written, nothing happens. Each carries the hash of the one before, so that an edit in the database shows.
 */
export class Audit {
  readonly #store: AccessStore;
  /** How far each book was found as it was written since this process began. */
  readonly #checked = new Map<string, End>();

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

  async add(tx: Tx, books: readonly string[], from: Origin, happening: AuditEvent): Promise<void> {
    for (const book of books) await this.#addTo(tx, book, from, happening);
  }

  /** Their name was taken in a team that they join. */
  recordRename(
    tx: Tx,
    teams: readonly string[],
    { id, email, displayName }: User,
    after: string,
    from: Origin,
  ): Promise<void> {
    const details = { name: displayName, after };
    return this.add(tx, teams, from, { actor: email, action: "member.renamed", target: id, details });
  }

  /** The newest entries of the team's book, or for admins of the first team, of the server's own. */
  async list(by: SignedIn, limit: number, book: "team" | "server" = "team") {
    requireAdmin(by, "access:read");
    const count = Math.max(1, Math.min(Math.trunc(limit) || 1, maxEntries));
    return this.#store.database.read(async (db) => {
      if (book === "server" && (await this.#store.firstTeam(db)) !== by.team.id) throw needsFirstTeam();
      return this.read(db, book === "server" ? serverBook : by.team.id, count);
    });
  }

  /**
   * The newest, oldest first, and whether the book is as it was written: what is shown is hashed each time, and what comes
   * before once in the life of this process, which then holds its end.
   */
  async read(db: Db, book: string, limit: number): Promise<{ entries: AuditEntry[]; intact: boolean }> {
    // The end is read first: what is added meanwhile lies behind it.
    const head = await db.selectFrom("access_audit_head").selectAll().where("book", "=", book).executeTakeFirst();
    const newest = await this.#rows(db, book)
      .orderBy("seq", "desc")
      .limit(limit + 1)
      .execute();
    const rows = newest.reverse();
    const shown = rows.length > limit ? rows.slice(1) : rows;
    const intact = head
      ? isChain(rows, limit) && endsIn(head, rows) && (await this.#isIntact(db, book, head))
      : // A team's book begins with what opened it; the server's own may have nothing to tell yet.
        book === serverBook && rows.length === 0 && !this.#checked.has(book);
    return { entries: shown.map(entryFrom), intact };
  }

  async #addTo(tx: Tx, book: string, from: Origin, { actor, action, target, details }: AuditEvent): Promise<void> {
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
    const hash = hashEntry(head?.hash ?? beginning, entry);
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

  /** Goes on from where it was found as written before. */
  async #isIntact(db: Db, book: string, head: End): Promise<boolean> {
    let { seq, hash } = this.#checked.get(book) ?? { seq: 0, hash: beginning };
    if (head.seq < seq) return false;
    while (seq < head.seq) {
      const page = await this.#rows(db, book)
        .where("seq", ">", seq)
        .where("seq", "<=", head.seq)
        .orderBy("seq")
        .limit(pageOfCheck)
        .execute();
      for (const row of page) {
        if (!sameHash(row.hash, hashEntry(hash, row))) return false;
        ({ seq, hash } = row);
      }
      if (page.length === 0) return false;
      // Everybody's sign-ins and tokens are in it: others are answered while it is read.
      await nextTurn();
    }
    if (!sameHash(hash, head.hash)) return false;
    // Another reader may have got further meanwhile.
    if (seq >= (this.#checked.get(book)?.seq ?? 0)) this.#checked.set(book, { seq, hash });
    return true;
  }

  #rows(db: Db, book: string) {
    return db.selectFrom("access_audit").selectAll().where("book", "=", book);
  }
}

/** Whether rows that follow one another in the book do so by their hashes; the first may be the one before those shown. */
function isChain(rows: readonly Row[], limit: number): boolean {
  const [anchor] = rows.length > limit ? rows : [];
  let { seq, hash } = anchor ?? { seq: 0, hash: beginning };
  for (const row of anchor ? rows.slice(1) : rows) {
    if (row.seq !== seq + 1 || !sameHash(row.hash, hashEntry(hash, row))) return false;
    ({ seq, hash } = row);
  }
  return true;
}

/** What was added since the end was read lies behind it; all the rows may. */
function endsIn(head: End, rows: readonly Row[]): boolean {
  const last = rows.find(({ seq }) => seq === head.seq);
  return last ? sameHash(last.hash, head.hash) : (rows[0]?.seq ?? 0) > head.seq;
}

function hashEntry(before: string, { book, seq, at, actor, action, target, details }: Omit<Row, "hash">): string {
  const said = JSON.stringify([before, book, seq, at, actor, action, target, details]);
  return createHash("sha256").update(said).digest("hex");
}

function entryFrom({ seq, at, actor, action, target, details }: Row): AuditEntry {
  return { seq, at: new Date(at).toISOString(), actor, action, target, details: parseDetails(details) };
}

/** An edited entry may no longer be JSON; it is shown anyway. */
function parseDetails(text: string): Record<string, unknown> {
  try {
    const details: unknown = JSON.parse(text);
    if (isRecord(details)) return details;
  } catch {
    // Told by `intact`.
  }
  return { unreadable: text };
}
