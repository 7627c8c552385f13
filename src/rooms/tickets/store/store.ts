import { CompiledQuery, type ExpressionBuilder, sql, type Transaction } from "kysely";
import type { JoinedLease } from "../../../commons/leases/index.ts";
import { askedWords, postgresQuery, sqliteQuery } from "../../../commons/search/words.ts";
import type { Database } from "../../../platform/db/database.ts";
import { type RevisedWrite, whyNotWritten } from "../../../platform/db/revision.ts";
import type { Engine, Reads } from "../../../platform/db/types.ts";
import { localId } from "../model/ids.ts";
import type { HistoryEntry, TicketFilter } from "../model/model.ts";
import type { Status } from "../model/status.ts";
import { addEvents, changeTicket, type EventRow, type RowChange, replaceWords } from "./change-statements.ts";
import { documentOf, eventFrom, type NewTicketRow, type SummaryRow, summaryColumns, type TicketRow } from "./rows.ts";
import type { TicketTables } from "./schema.ts";

export type Tx = Transaction<TicketTables>;
type Db = Reads<TicketTables>;

export type PageQuery = Omit<TicketFilter, "cursor" | "limit"> & { before: number | undefined; limit: number };

/** The lease that a ticket is looked up with. */
type Joining = { name: string; columns: string };

type Standing = Pick<TicketRow, "seq" | "revision"> & JoinedLease;

/** The tickets of one team in SQL, for both engines. No rules: who may do what is decided before. */
export class TicketStore {
  readonly database: Database<TicketTables>;
  readonly #engine: Engine;
  readonly #team: string;
  #standing: string | undefined;
  #whole: string | undefined;

  constructor(database: Database<unknown>, team: string) {
    this.database = database.forTables<TicketTables>();
    this.#engine = database.engine;
    this.#team = team;
  }

  /** By id, else by slug. */
  async find(db: Db | Tx, id: string): Promise<TicketRow | undefined> {
    // Written out: the query builder would cost more than the query, in the call that is made most.
    const byId = await sql<TicketRow>`select * from ticket where team = ${this.#team} and id = ${id}`.execute(db);
    if (byId.rows[0]) return byId.rows[0];
    const bySlug = await sql<TicketRow>`select * from ticket where team = ${this.#team} and slug = ${id}`.execute(db);
    return bySlug.rows[0];
  }

  /** Which revision a ticket is at and who is on it, without what it says. */
  standing(db: Db, seq: number, claim: Joining): Promise<Standing | undefined> {
    this.#standing ??= standingQuery(this.#engine, claim.columns);
    return asked<Standing>(db, this.#standing, [claim.name, seq]);
  }

  /** A ticket and who is on it. By id alone. */
  whole(db: Db | Tx, id: string, claim: Joining): Promise<(TicketRow & JoinedLease) | undefined> {
    this.#whole ??= wholeQuery(this.#engine, claim.columns);
    return asked<TicketRow & JoinedLease>(db, this.#whole, [claim.name, this.#team, id]);
  }

  /** Newest first. */
  page(db: Db, query: PageQuery): Promise<SummaryRow[]> {
    const words = query.text === undefined ? [] : askedWords(query.text);
    if (query.text !== undefined && words.length === 0 && query.text.trim() !== "") return Promise.resolve([]);
    let rows = db.selectFrom("ticket").select(summaryColumns).where("team", "=", this.#team);
    if (words.length > 0) rows = rows.where("seq", "in", (eb) => this.#matching(eb, words));
    rows = query.status ? rows.where("status", "in", query.status) : rows.where("status", "<>", sql.lit("ARCHIVED"));
    if (query.assignee !== undefined) rows = rows.where("assignee", "=", query.assignee);
    if (query.priority !== undefined) rows = rows.where("priority", "=", query.priority);
    if (query.type !== undefined) rows = rows.where("type", "=", query.type);
    if (query.before !== undefined) rows = rows.where("seq", "<", query.before);
    return rows.orderBy("seq", "desc").limit(query.limit).execute();
  }

  async count(db: Db): Promise<number> {
    const { count } = await db
      .selectFrom("ticket")
      .select((eb) => eb.fn.countAll<number | string>().as("count"))
      .where("team", "=", this.#team)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Ids that begin with this, newest first. */
  withIdFrom(db: Db, beginning: string, limit: number, among?: readonly Status[]): Promise<SummaryRow[]> {
    const found = db
      .selectFrom("ticket")
      .select(summaryColumns)
      .where("team", "=", this.#team)
      .where("id", ">=", beginning)
      .where("id", "<", `${beginning}\u{10ffff}`)
      .orderBy("seq", "desc")
      .limit(limit);
    return (among ? found.where("status", "in", among) : found.where("status", "<>", sql.lit("ARCHIVED"))).execute();
  }

  insert(tx: Tx, row: Omit<NewTicketRow, "team">): Promise<TicketRow> {
    return tx
      .insertInto("ticket")
      .values({ ...row, team: this.#team })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** A CONFLICT_ERROR where the row is no longer at the revision that was expected. */
  async change(tx: Tx, row: TicketRow, change: Pick<RowChange, "expected" | "columns">): Promise<void> {
    if (await changeTicket(tx, this.#engine, { ...change, seq: row.seq })) return;
    throw await whyNotWritten(tx, writeOf(row, change.expected, change.columns));
  }

  /** Says whether the row was still as it is given, and nobody on it. */
  changeUnclaimed(
    tx: Tx,
    { seq, revision }: TicketRow,
    columns: RowChange["columns"],
    claim: string,
  ): Promise<boolean> {
    return changeTicket(tx, this.#engine, { seq, expected: revision, columns, unclaimed: claim });
  }

  /** The same for whoever would change nothing. */
  async requireRevision(tx: Tx, row: TicketRow, expected: number): Promise<void> {
    if (row.revision !== expected) throw await whyNotWritten(tx, writeOf(row, expected, {}));
  }

  addHistory(tx: Tx, events: readonly EventRow[]): void {
    addEvents(tx, this.#engine, events);
  }

  /** The latest, oldest first. */
  async history(db: Db, ticket: number, limit: number): Promise<HistoryEntry[]> {
    const rows = await db
      .selectFrom("ticket_event")
      .selectAll()
      .where("ticket", "=", ticket)
      .orderBy("seq", "desc")
      .limit(limit)
      .execute();
    return rows.reverse().map(eventFrom);
  }

  /** An id that no ticket of the team has had. */
  async nextId(tx: Tx): Promise<string> {
    for (;;) {
      const { rows } = await sql<{ value: number }>`
        insert into ticket_counter (team, value) values (${this.#team}, 1)
        on conflict (team) do update set value = ticket_counter.value + 1
        returning value`.execute(tx);
      const id = localId(rows[0]?.value ?? 0);
      if (!(await this.find(tx, id))) return id;
    }
  }

  /** A ticket came with this number: later ones get higher ones. One from far ahead does not take the others with it. */
  async skipNumber(tx: Tx, number: number): Promise<void> {
    const furthest = 10_000;
    await sql`
      insert into ticket_counter (team, value) values (${this.#team}, ${number <= furthest ? number : 0})
      on conflict (team) do update set value = ${number}
      where ticket_counter.value < ${number} and ticket_counter.value >= ${number - furthest}`.execute(tx);
  }

  /** Makes a ticket found by these words, and no others. */
  index(tx: Tx, seq: number, words: string): void {
    replaceWords(tx, this.#engine, { seq, words });
  }

  #matching(eb: ExpressionBuilder<TicketTables, "ticket">, words: readonly string[]) {
    const query = eb.selectFrom("ticket_search");
    if (this.#engine === "sqlite")
      return query.select("ticket_search.rowid as seq").where(sql<boolean>`ticket_search match ${sqliteQuery(words)}`);
    return query.select("ticket_search.seq").where(sql<boolean>`words @@ ${postgresQuery(words)}::tsquery`);
  }
}

function writeOf(row: TicketRow, expected: number, changes: RevisedWrite["changes"]): RevisedWrite {
  return {
    table: "ticket",
    key: { seq: row.seq },
    expected,
    changes,
    what: `ticket ${row.id}`,
    show: ({ title, status, assignee, priority, type, document }) => ({
      ...documentOf({ document: String(document) }),
      title,
      status,
      assignee,
      priority,
      type,
    }),
  };
}

/** Compiled by hand, and once: these are asked more than all else. */
async function asked<Row>(db: Db | Tx, text: string, parameters: unknown[]): Promise<Row | undefined> {
  const query = CompiledQuery.raw(text, parameters) as CompiledQuery<Row>;
  const { rows } = await db.getExecutor().executeQuery<Row>(query);
  return rows[0];
}

function wholeQuery(engine: Engine, claimColumns: string): string {
  const [claim, team, id] = engine === "sqlite" ? ["?", "?", "?"] : ["$1", "$2", "$3"];
  return `select ticket.*, ${claimColumns} from ticket left join lease on lease.name = ${claim}
    where ticket.team = ${team} and ticket.id = ${id}`;
}

function standingQuery(engine: Engine, claimColumns: string): string {
  const [claim, seq] = engine === "sqlite" ? ["?", "?"] : ["$1", "$2"];
  return `select ticket.seq, ticket.revision, ${claimColumns} from ticket left join lease on lease.name = ${claim}
    where ticket.seq = ${seq}`;
}
