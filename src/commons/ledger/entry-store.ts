import type { Expression, ExpressionBuilder, SqlBool, Transaction } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { runSql } from "../../platform/db/run-sql.ts";
import type { Reads } from "../../platform/db/types.ts";
import { type LedgerEntry, type LedgerFilter, limits, type Outcome, teamMark } from "./model.ts";
import { fromRow, type NewRow, parseTexts } from "./rows.ts";
import type { LedgerTables } from "./schema.ts";

export type Retention = {
  days: number;
  /** Of all entries, or with `ofEachTeam` of each team's. */
  entries: number;
  /** On a server: one team's entries must not push out another's. */
  ofEachTeam: boolean;
};

type Tx = Transaction<LedgerTables>;

const prunedAtOnce = 1_000;

const entryColumns = [
  "id",
  "at",
  "kind",
  "name",
  "effect",
  "principal",
  "agent",
  "about",
  "evidence",
  "outcome",
  "code",
  "duration_ms",
  "alive_until",
] as const satisfies (keyof NewRow)[];

const numbers: ReadonlySet<string> = new Set(["at", "duration_ms", "alive_until", "written_at", "era"]);

/** What an entry written now adds: the time, and its era where it replaces one and so keeps its place. */
type WrittenRow = NewRow & { written_at: number; era: number | null };
const writtenColumns = [...entryColumns, "written_at", "era"] as const satisfies (keyof WrittenRow)[];

/** The clocks of servers that share a PostgreSQL may differ by so much. */
const clockToleranceMs = 1_000;

/**
 * What decides the era of a new entry. The clock was set back if it shows less than when the newest entry was written; a call
 * that began later than it shows began before that.
 */
const newestEra = "select coalesce(max(era), 0) as answer from ledger_entry";
const lastWrite = "select written_at as answer from ledger_entry order by seq desc limit 1";

/** PostgreSQL gets entries and what they are about in one message; SQLite, which has no round trips, one by one. */
const statements = {
  postgres: `with entry as (insert into ledger_entry (${writtenColumns.join(", ")})
      select ${entryColumns.join(", ")}, written_at,
        coalesce(era, (${newestEra}) + case when given.at <= $2::bigint
          and (${lastWrite}) > $2::bigint + ${clockToleranceMs} then 1 else 0 end)
      from rows from (json_to_recordset($1::json) as (${writtenColumns.map(typedColumn).join(", ")})) with ordinality
        as given (${writtenColumns.join(", ")}, place)
      order by place
      on conflict (id) do nothing returning seq, about),
    looked_up as (insert into ledger_about (about, seq)
      select item, seq from entry, json_array_elements_text(entry.about::json) as item)
    select max(seq) as answer from entry`,
  sqlite: `insert into ledger_entry (${writtenColumns.join(", ")})
    values (${writtenColumns.map(() => "?").join(", ")}) on conflict (id) do nothing returning seq as answer`,
  sqliteAbout: "insert into ledger_about (about, seq) values (?, ?)",
};

function typedColumn(column: string): string {
  return `${column} ${numbers.has(column) ? "bigint" : "text"}`;
}

/** The ledger's SQL, for both engines. */
export class EntryStore {
  readonly #database: Database<LedgerTables>;
  readonly #now: () => number;
  readonly #leaseMs: number;

  constructor(database: Database<LedgerTables>, now: () => number, leaseMs: number) {
    this.#database = database;
    this.#now = now;
    this.#leaseMs = leaseMs;
  }

  /**
   * Writes entries in the given transaction; returns the newest `seq`. Where one has the same id already, either that one is
   * kept or it is replaced.
   */
  async write(tx: Tx, rows: readonly NewRow[], existing: "kept" | "replaced"): Promise<number> {
    const eras = existing === "replaced" ? await remove(tx, rows) : undefined;
    const now = this.#now();
    const written = rows.map((row): WrittenRow => {
      const era = eras?.get(row.id) ?? null;
      return { ...row, written_at: era === null ? Math.max(now, row.at) : now, era };
    });
    if (this.#database.engine === "postgres")
      return (await ask(tx, statements.postgres, [JSON.stringify(written), now])) ?? 0;
    return insertOnSqlite(tx, written, now);
  }

  /**
   * The newest entries that fit, oldest first, in order of time; with `after`, the first ones after it, in the order in which
   * they were written.
   */
  find(filter: LedgerFilter): Promise<LedgerEntry[]> {
    return this.#database.read(async (db) => {
      const { after, since, name, principal, outcome } = filter;
      const onward = after !== undefined;
      let query = db
        .selectFrom("ledger_entry")
        .selectAll()
        .limit(Math.min(filter.limit ?? limits.defaultCount, limits.maxPerQuery));
      if (onward) query = query.where("seq", ">", after).orderBy("seq");
      else query = query.orderBy("era", "desc").orderBy("at", "desc").orderBy("seq", "desc");
      if (since !== undefined) query = query.where("at", ">=", since);
      if (name !== undefined) query = query.where("name", "=", name);
      if (principal !== undefined) query = query.where("principal", "=", principal);
      for (const item of marksOf(filter)) {
        const wanted = db.selectFrom("ledger_about").select("seq").where("about", "=", item);
        query = query.where("seq", "in", wanted);
      }
      if (outcome !== undefined) query = query.where((eb) => this.#hasOutcome(eb, outcome));
      const entries = (await query.execute()).map((row) => fromRow(row, this.#isDead));
      return onward ? entries : entries.reverse();
    });
  }

  async newestSeq(): Promise<number> {
    const row = await this.#database.read((db) =>
      db.selectFrom("ledger_entry").select("seq").orderBy("seq", "desc").limit(1).executeTakeFirst(),
    );
    return row?.seq ?? 0;
  }

  /** Renews the promise to be alive for calls that are still running. */
  async keepAlive(ids: string[]): Promise<void> {
    await this.#database.transaction((tx) =>
      tx
        .updateTable("ledger_entry")
        .set({ alive_until: this.#now() + this.#leaseMs })
        .where("id", "in", ids)
        .where("outcome", "=", "open")
        .execute(),
    );
  }

  /** Marks calls whose process went away as interrupted. One that comes back after all writes its own outcome over it. */
  async reconcile(): Promise<void> {
    const dead = await this.#database.read((db) =>
      db.selectFrom("ledger_entry").select(["id", "alive_until"]).where("alive_until", "is not", null).execute(),
    );
    const ids = dead.filter((row) => this.#isDead(row.alive_until)).map((row) => row.id);
    if (ids.length === 0) return;
    await this.#database.transaction(async (tx) => {
      const rows = await tx.selectFrom("ledger_entry").select(entryColumns).where("id", "in", ids).execute();
      const gone = rows.filter((row) => row.outcome === "open" && this.#isDead(row.alive_until));
      if (gone.length === 0) return;
      const closed = gone.map((row) => ({ ...row, outcome: "interrupted", alive_until: null }));
      await this.write(tx, closed, "replaced");
    });
  }

  /**
   * Removes what is past its time or number, except calls still running. Oldest first and not many at once: a clock that is
   * years ahead for a moment must not cost the whole ledger. Only the oldest are looked at, so that the cost of it does not
   * grow with the ledger.
   */
  async prune({ days, entries, ofEachTeam }: Retention): Promise<void> {
    const before = this.#now() - days * 86_400_000;
    const upTo = ofEachTeam ? 0 : (await this.newestSeq()) - entries;
    const past = (db: Reads<LedgerTables>) => {
      const oldest = db
        .selectFrom("ledger_entry")
        .select(["seq", "at", "alive_until"])
        .orderBy("seq")
        .limit(prunedAtOnce);
      return db
        .selectFrom(oldest.as("oldest"))
        .select("seq")
        .where((eb) => eb.or([eb("at", "<", before), eb("seq", "<=", upTo)]))
        .where("alive_until", "is", null);
    };
    const old = await this.#database.read((db) => past(db).limit(1).executeTakeFirst());
    if (!old) return;
    await this.#database.transaction((tx) => tx.deleteFrom("ledger_entry").where("seq", "in", past(tx)).execute(), {
      isLong: true,
    });
  }

  /** Removes what a team has beyond its number, oldest first, in the same way. */
  async pruneTeam(team: string, { entries }: Retention): Promise<void> {
    const own = (db: Reads<LedgerTables>) =>
      db.selectFrom("ledger_about").select("seq").where("about", "=", teamMark(team));
    const newest = await this.#database.read((db) =>
      own(db).orderBy("seq", "desc").offset(entries).limit(1).executeTakeFirst(),
    );
    if (!newest) return;
    await this.#database.transaction(
      async (tx) => {
        const past = own(tx).where("seq", "<=", newest.seq).orderBy("seq").limit(prunedAtOnce);
        await tx.deleteFrom("ledger_entry").where("seq", "in", past).where("alive_until", "is", null).execute();
      },
      { isLong: true },
    );
  }

  aliveUntil(): number {
    return this.#now() + this.#leaseMs;
  }

  /** An open entry of a process that is gone counts as interrupted, whether or not somebody has marked it yet. */
  #hasOutcome(eb: ExpressionBuilder<LedgerTables, "ledger_entry">, outcome: Outcome): Expression<SqlBool> {
    if (outcome !== "open" && outcome !== "interrupted") return eb("outcome", "=", outcome);
    const now = this.#now();
    const alive = eb.and([eb("alive_until", ">=", now), eb("alive_until", "<=", now + 2 * this.#leaseMs)]);
    const open = eb("outcome", "=", "open");
    if (outcome === "open") return eb.and([open, alive]);
    return eb.or([eb("outcome", "=", "interrupted"), eb.and([open, eb.not(alive)])]);
  }

  /** A promise that reaches further than any can comes from before the clock was set back. */
  readonly #isDead = (aliveUntil: number | null): boolean => {
    const now = this.#now();
    return aliveUntil === null || aliveUntil < now || aliveUntil > now + 2 * this.#leaseMs;
  };
}

/** What an entry must be about to fit. */
function marksOf({ about, team }: LedgerFilter): string[] {
  return [...(about === undefined ? [] : [about]), ...(team === undefined ? [] : [teamMark(team)])];
}

/** Removes entries that are about to be written again; returns the era of each. */
async function remove(tx: Tx, rows: readonly NewRow[]): Promise<Map<string, number>> {
  const ids = rows.map(({ id }) => id);
  const removed = await tx.deleteFrom("ledger_entry").where("id", "in", ids).returning(["id", "era"]).execute();
  return new Map(removed.map(({ id, era }) => [id, era]));
}

/** Returns the newest `seq`. The newest era is asked for once: thousands of entries may be written together. */
async function insertOnSqlite(tx: Tx, rows: readonly WrittenRow[], now: number): Promise<number> {
  let era = (await ask(tx, newestEra, [])) ?? 0;
  let writtenAt = (await ask(tx, lastWrite, [])) ?? 0;
  let newest = 0;
  for (const row of rows) {
    if (row.era === null && row.at <= now && writtenAt > now) era += 1;
    writtenAt = row.written_at;
    const values = writtenColumns.map((column) => (column === "era" ? (row.era ?? era) : (row[column] ?? null)));
    const seq = await ask(tx, statements.sqlite, values);
    if (seq === undefined) continue;
    newest = seq;
    for (const about of parseTexts(row.about)) await ask(tx, statements.sqliteAbout, [about, seq]);
  }
  return newest;
}

async function ask(tx: Tx, text: string, parameters: readonly unknown[]): Promise<number | undefined> {
  const [row] = await runSql<{ answer: number | null }>(tx, text, parameters);
  return row?.answer ?? undefined;
}
