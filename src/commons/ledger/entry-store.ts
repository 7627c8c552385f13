import { CompiledQuery, type Expression, type ExpressionBuilder, type SqlBool, type Transaction } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import type { Reads } from "../../platform/db/types.ts";
import { type LedgerEntry, type LedgerFilter, limits, type Outcome, teamMark } from "./model.ts";
import { fromRow, type NewRow, parseTexts } from "./rows.ts";
import type { LedgerTables } from "./schema.ts";

export type Retention = { days: number; entries: number };

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

const numbers: ReadonlySet<string> = new Set(["at", "duration_ms", "alive_until"]);

/** PostgreSQL gets entries and what they are about in one message; SQLite, which has no round trips, one by one. */
const statements = {
  postgres: `with entry as (insert into ledger_entry (${entryColumns.join(", ")})
      select ${entryColumns.join(", ")}
      from rows from (json_to_recordset($1::json) as (${entryColumns.map(typedColumn).join(", ")})) with ordinality
        as given (${entryColumns.join(", ")}, place)
      order by place
      on conflict (id) do nothing returning seq, about),
    looked_up as (insert into ledger_about (about, seq)
      select item, seq from entry, json_array_elements_text(entry.about::json) as item)
    select max(seq) as seq from entry`,
  sqlite: `insert into ledger_entry (${entryColumns.join(", ")}) values (${entryColumns.map(() => "?").join(", ")})
    on conflict (id) do nothing returning seq`,
  sqliteAbout: "insert into ledger_about (about, seq) select value, ?1 from json_each(?2)",
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
    if (existing === "replaced") {
      const ids = rows.map((row) => row.id);
      await tx.deleteFrom("ledger_entry").where("id", "in", ids).execute();
    }
    if (this.#database.engine === "postgres") return (await ask(tx, statements.postgres, [JSON.stringify(rows)])) ?? 0;
    let newest = 0;
    for (const row of rows) newest = (await insertOnSqlite(tx, row)) ?? newest;
    return newest;
  }

  /** The newest entries that fit, oldest first; with `after`, the first ones after it. */
  find(filter: LedgerFilter): Promise<LedgerEntry[]> {
    return this.#database.read(async (db) => {
      const { after, since, name, principal, outcome } = filter;
      const onward = after !== undefined;
      let query = db
        .selectFrom("ledger_entry")
        .selectAll()
        .orderBy("seq", onward ? "asc" : "desc")
        .limit(Math.min(filter.limit ?? limits.defaultCount, limits.maxPerQuery));
      if (onward) query = query.where("seq", ">", after);
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
      const rows = await tx.selectFrom("ledger_entry").selectAll().where("id", "in", ids).execute();
      const gone = rows.filter((row) => row.outcome === "open" && this.#isDead(row.alive_until));
      if (gone.length === 0) return;
      const closed = gone.map(({ seq: _, ...row }) => ({ ...row, outcome: "interrupted", alive_until: null }));
      await this.write(tx, closed, "replaced");
    });
  }

  /**
   * Removes what is past its time or number, except calls still running. Oldest first and not many at once: a clock that is
   * years ahead for a moment must not cost the whole ledger.
   */
  async prune({ days, entries }: Retention): Promise<void> {
    const before = this.#now() - days * 86_400_000;
    const upTo = (await this.newestSeq()) - entries;
    const past = (db: Reads<LedgerTables>) =>
      db
        .selectFrom("ledger_entry")
        .select("seq")
        .where((eb) => eb.or([eb("at", "<", before), eb("seq", "<=", upTo)]))
        .where("alive_until", "is", null)
        .orderBy("seq")
        .limit(prunedAtOnce);
    const old = await this.#database.read((db) => past(db).limit(1).executeTakeFirst());
    if (!old) return;
    await this.#database.transaction((tx) => tx.deleteFrom("ledger_entry").where("seq", "in", past(tx)).execute(), {
      isLong: true,
    });
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

/** Undefined where there is one with that id. */
async function insertOnSqlite(tx: Tx, row: NewRow): Promise<number | undefined> {
  const values = entryColumns.map((column) => row[column] ?? null);
  const seq = await ask(tx, statements.sqlite, values);
  if (seq !== undefined && parseTexts(row.about).length > 0) await ask(tx, statements.sqliteAbout, [seq, row.about]);
  return seq;
}

/** Compiled by hand, and once: every change writes an entry. */
async function ask(tx: Tx, text: string, parameters: readonly unknown[]): Promise<number | undefined> {
  const query = CompiledQuery.raw(text, [...parameters]) as CompiledQuery<{ seq: number | null }>;
  return (await tx.getExecutor().executeQuery(query)).rows[0]?.seq ?? undefined;
}
