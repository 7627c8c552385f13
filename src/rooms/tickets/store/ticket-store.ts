import { type ExpressionBuilder, sql, type Transaction } from "kysely";
import type { JoinedLease } from "../../../commons/leases/index.ts";
import { createLimitedQuery } from "../../../commons/search/limited-query.ts";
import { createPostgresQuery, parseQueryWords } from "../../../commons/search/words.ts";
import type { Database } from "../../../platform/db/database.ts";
import { explainUnwritten, type RevisedWrite } from "../../../platform/db/revision.ts";
import { runSql } from "../../../platform/db/run-sql.ts";
import type { Engine, Reads } from "../../../platform/db/types.ts";
import { localId } from "../model/ids.ts";
import type { Status } from "../model/status.ts";
import type { HistoryEntry } from "../model/ticket.ts";
import type { TicketFilter } from "../model/ticket-fields.ts";
import { type EventRow, insertEvents, type RowChange, replaceWords, updateTicketRow } from "./change-statements.ts";
import {
  type NewTicketRow,
  parseDocument,
  type SummaryRow,
  summaryColumns,
  type TicketRow,
  textsIn,
  toHistoryEntry,
} from "./rows.ts";
import type { TicketTables } from "./schema.ts";

export type Tx = Transaction<TicketTables>;
type Db = Reads<TicketTables>;

/** `from`: the lowest number. */
export type PageQuery = Omit<TicketFilter, "cursor" | "limit"> & {
  before: number | undefined;
  from?: number | undefined;
  limit: number;
};

/** The lease that is read together with a ticket. */
type ClaimJoin = { name: string; columns: string };

export type StartableRow = SummaryRow & Pick<TicketRow, "depends_on">;

/** Of the entries in one answer: each has what it replaced, up to a megabyte. */
const maxHistoryBytes = 2_000_000;
/** In one statement; SQLite takes 32,766, and a ticket can wait for thousands of others. */
const maxValues = 5_000;

type Revision = Pick<TicketRow, "seq" | "revision"> & JoinedLease;

/** The tickets of one team in SQL, for both engines. Without rules: what is allowed is decided by its callers. */
export class TicketStore {
  readonly database: Database<TicketTables>;
  readonly team: string;
  readonly #engine: Engine;
  #revisionQuery: string | undefined;
  #claimQuery: string | undefined;

  constructor(database: Database<unknown>, team: string) {
    this.database = database.forTables<TicketTables>();
    this.#engine = database.engine;
    this.team = team;
  }

  /** By id, else by slug. */
  async find(db: Db | Tx, id: string): Promise<TicketRow | undefined> {
    // Plain SQL: in the most frequent call, the query builder would cost more than the query.
    const byId = await sql<TicketRow>`select * from ticket where team = ${this.team} and id = ${id}`.execute(db);
    if (byId.rows[0]) return byId.rows[0];
    const bySlug = await sql<TicketRow>`select * from ticket where team = ${this.team} and slug = ${id}`.execute(db);
    return bySlug.rows[0];
  }

  /** The number of the ticket that has a slug. */
  async findSlug(db: Db | Tx, slug: string): Promise<number | undefined> {
    const { rows } = await sql<{
      seq: number;
    }>`select seq from ticket where team = ${this.team} and slug = ${slug}`.execute(db);
    return rows[0]?.seq;
  }

  /** A ticket's revision and claim, without its text. */
  async findRevision(db: Db, seq: number, claim: ClaimJoin): Promise<Revision | undefined> {
    this.#revisionQuery ??= revisionQuery(this.#engine, claim.columns);
    return (await runSql<Revision>(db, this.#revisionQuery, [claim.name, seq]))[0];
  }

  /** A ticket and its claim. By id, not by slug. */
  async findWithClaim(db: Db | Tx, id: string, claim: ClaimJoin): Promise<(TicketRow & JoinedLease) | undefined> {
    this.#claimQuery ??= claimQuery(this.#engine, claim.columns);
    return (await runSql<TicketRow & JoinedLease>(db, this.#claimQuery, [claim.name, this.team, id]))[0];
  }

  /** Newest first. */
  async findPage(db: Db, query: PageQuery): Promise<SummaryRow[]> {
    const words = query.text === undefined ? [] : parseQueryWords(query.text);
    if (query.text !== undefined && words.length === 0 && query.text.trim() !== "") return [];
    const match = words.length > 0 && (await this.#matchOf(db, words));
    let rows = db.selectFrom("ticket").select(summaryColumns).where("team", "=", this.team);
    if (match) rows = rows.where("seq", "in", (eb) => this.#selectMatching(eb, match));
    rows = query.status ? rows.where("status", "in", query.status) : rows.where("status", "<>", sql.lit("ARCHIVED"));
    if (query.assignee !== undefined) rows = rows.where("assignee", "=", query.assignee);
    if (query.unassigned) rows = rows.where("assignee", "is", null);
    if (query.label !== undefined) rows = rows.where(sql<boolean>`labels like ${likeLabel(query.label)} escape '\\'`);
    if (query.priority !== undefined) rows = rows.where("priority", "=", query.priority);
    if (query.type !== undefined) rows = rows.where("type", "=", query.type);
    if (query.before !== undefined) rows = rows.where("seq", "<", query.before);
    if (query.from !== undefined) rows = rows.where("seq", ">=", query.from);
    return rows.orderBy("seq", "desc").limit(query.limit).execute();
  }

  /** The number of the ticket that is so many before another one; undefined where there are fewer. */
  async findSeqBefore(db: Db, before: number | undefined, count: number): Promise<number | undefined> {
    let rows = db.selectFrom("ticket").select("seq").where("team", "=", this.team);
    if (before !== undefined) rows = rows.where("seq", "<", before);
    return (
      await rows
        .orderBy("seq", "desc")
        .offset(count - 1)
        .limit(1)
        .executeTakeFirst()
    )?.seq;
  }

  /** READY, unassigned and of this priority, oldest first. */
  async findStartable(db: Db, priority: string | null, after: number, limit: number): Promise<StartableRow[]> {
    return db
      .selectFrom("ticket")
      .select([...summaryColumns, "depends_on"])
      .where("team", "=", this.team)
      .where("status", "=", sql.lit("READY"))
      .where("assignee", "is", null)
      .where("priority", priority === null ? "is" : "=", priority)
      .where("seq", ">", after)
      .orderBy("seq")
      .limit(limit)
      .execute();
  }

  /** The statuses of these tickets, by id. */
  async findStatuses(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let at = 0; at < ids.length; at += maxValues) {
      const rows = await this.#among(db, ids.slice(at, at + maxValues))
        .select(["id", "status"])
        .execute();
      for (const { id, status } of rows) found.set(id, status);
    }
    return found;
  }

  /** What each of these tickets waits for, by id. */
  async findDependencies(db: Db, ids: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.#among(db, ids).select(["id", "depends_on"]).execute();
    return new Map(rows.map(({ id, depends_on }) => [id, textsIn(depends_on)]));
  }

  #among(db: Db, ids: readonly string[]) {
    return db.selectFrom("ticket").where("team", "=", this.team).where("id", "in", ids);
  }

  async count(db: Db): Promise<number> {
    const { count } = await db
      .selectFrom("ticket")
      .select((eb) => eb.fn.countAll<number | string>().as("count"))
      .where("team", "=", this.team)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Those that are not archived, newest first. */
  async findLatestIds(db: Db, limit: number): Promise<string[]> {
    const rows = await this.#ofTeam(db).select("id").orderBy("seq", "desc").limit(limit).execute();
    return rows.map(({ id }) => id);
  }

  /** Tickets whose id starts with this, newest first. */
  findByIdPrefix(db: Db, prefix: string, limit: number, among?: readonly Status[]): Promise<SummaryRow[]> {
    const found = this.#ofTeam(db, among)
      .select("seq")
      .where("id", ">=", prefix)
      .where("id", "<", `${prefix}\u{10ffff}`)
      .orderBy("seq", "desc")
      .limit(limit);
    // All that fit are sorted: the rest of a row, which is behind its text, is read of those that are shown.
    return db.selectFrom("ticket").select(summaryColumns).where("seq", "in", found).orderBy("seq", "desc").execute();
  }

  #ofTeam(db: Db, among?: readonly Status[]) {
    const rows = db.selectFrom("ticket").where("team", "=", this.team);
    return among ? rows.where("status", "in", among) : rows.where("status", "<>", sql.lit("ARCHIVED"));
  }

  insert(tx: Tx, row: Omit<NewTicketRow, "team">): Promise<TicketRow> {
    return tx
      .insertInto("ticket")
      .values({ ...row, team: this.team })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** CONFLICT_ERROR if the row is no longer at the expected revision. */
  async update(tx: Tx, row: TicketRow, change: Pick<RowChange, "expected" | "columns">): Promise<void> {
    if (await updateTicketRow(tx, this.#engine, { ...change, seq: row.seq })) return;
    throw await explainUnwritten(tx, writeOf(row, change.expected, change.columns));
  }

  /** Updates the row if it is still as given and nobody has claimed it; returns whether it was. */
  updateUnclaimed(
    tx: Tx,
    { seq, revision }: TicketRow,
    columns: RowChange["columns"],
    claim: string,
  ): Promise<boolean> {
    return updateTicketRow(tx, this.#engine, { seq, expected: revision, columns, freeLease: claim });
  }

  /** The same check for a change that changes nothing. */
  async requireRevision(tx: Tx, row: TicketRow, expected: number): Promise<void> {
    if (row.revision !== expected) throw await explainUnwritten(tx, writeOf(row, expected, {}));
  }

  addHistory(tx: Tx, events: readonly EventRow[]): void {
    insertEvents(tx, this.#engine, events);
  }

  /** The latest entries that fit into one answer, oldest first. */
  async history(db: Db, ticket: number, limit: number): Promise<HistoryEntry[]> {
    const events = db.selectFrom("ticket_event").where("ticket", "=", ticket).orderBy("seq", "desc").limit(limit);
    const sizes = await events.select(["seq", sql<number>`octet_length(details)`.as("size")]).execute();
    let left = maxHistoryBytes;
    const tooMany = sizes.findIndex(({ size }, index) => {
      left -= Number(size);
      return index > 0 && left < 0;
    });
    const before = sizes[tooMany]?.seq ?? 0;
    const rows = await events.selectAll().where("seq", ">", before).execute();
    return rows.reverse().map(toHistoryEntry);
  }

  /** An id that no ticket of the team ever had. */
  async nextId(tx: Tx): Promise<string> {
    for (;;) {
      const { rows } = await sql<{ value: number }>`
        insert into ticket_counter (team, value) values (${this.team}, 1)
        on conflict (team) do update set value = ticket_counter.value + 1
        returning value`.execute(tx);
      const id = localId(rows[0]?.value ?? 0);
      if (!(await this.find(tx, id))) return id;
    }
  }

  /** Later ids continue after an imported number, unless it is far ahead of the others. */
  async skipNumber(tx: Tx, number: number): Promise<void> {
    const maxGap = 10_000;
    await sql`
      insert into ticket_counter (team, value) values (${this.team}, ${number <= maxGap ? number : 0})
      on conflict (team) do update set value = ${number}
      where ticket_counter.value < ${number} and ticket_counter.value >= ${number - maxGap}`.execute(tx);
  }

  /** Replaces the words that a ticket is found by. */
  index(tx: Tx, seq: number, words: string): void {
    replaceWords(tx, this.#engine, { seq, words });
  }

  async #matchOf(db: Db, words: readonly string[]): Promise<string> {
    return this.#engine === "sqlite" ? createLimitedQuery(db, "ticket_search", words) : createPostgresQuery(words);
  }

  #selectMatching(eb: ExpressionBuilder<TicketTables, "ticket">, match: string) {
    const query = eb.selectFrom("ticket_search");
    if (this.#engine === "sqlite")
      return query.select("ticket_search.rowid as seq").where(sql<boolean>`ticket_search match ${match}`);
    return query.select("ticket_search.seq").where(sql<boolean>`words @@ ${match}::tsquery`);
  }
}

/** A list of labels is JSON, and no label has a quote in it. */
function likeLabel(label: string): string {
  return `%${JSON.stringify(label).replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

function writeOf(row: TicketRow, expected: number, changes: RevisedWrite["changes"]): RevisedWrite {
  return {
    table: "ticket",
    key: { seq: row.seq },
    expected,
    changes,
    what: `ticket ${row.id}`,
    show: ({ title, status, assignee, priority, type, document }) => ({
      ...parseDocument({ document: String(document) }),
      title,
      status,
      assignee,
      priority,
      type,
    }),
  };
}

function claimQuery(engine: Engine, claimColumns: string): string {
  const [claim, team, id] = engine === "sqlite" ? ["?", "?", "?"] : ["$1", "$2", "$3"];
  return `select ticket.*, ${claimColumns} from ticket left join lease on lease.name = ${claim}
    where ticket.team = ${team} and ticket.id = ${id}`;
}

function revisionQuery(engine: Engine, claimColumns: string): string {
  const [claim, seq] = engine === "sqlite" ? ["?", "?"] : ["$1", "$2"];
  return `select ticket.seq, ticket.revision, ${claimColumns} from ticket left join lease on lease.name = ${claim}
    where ticket.seq = ${seq}`;
}
