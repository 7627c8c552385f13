import { CompiledQuery, type Insertable, type Transaction, type Updateable } from "kysely";
import type { Database } from "../../../platform/db/database.ts";
import { updateRevised } from "../../../platform/db/revision.ts";
import type { Reads } from "../../../platform/db/types.ts";
import type { EventKind, ExecutionEvent, ExecutionFile, ExecutionStatus } from "../model/execution-model.ts";
import type { ExecutionTable, WorkbenchTables } from "../store/schema.ts";
import { type ExecutionRow, toEvent, toFile } from "./rows.ts";

export type Tx = Transaction<WorkbenchTables>;
type Db = Reads<WorkbenchTables> | Tx;

export type NewEvent = { at: number; kind: EventKind; message: string; details?: Record<string, unknown> };

type ExecutionQuery = {
  status?: readonly ExecutionStatus[] | undefined;
  block?: string | undefined;
  task?: string | undefined;
};

const maxMessageLength = 2_000;
/** SQLite accepts at least this many rows in one statement. */
const maxRowsPerStatement = 100;
/** Compiled once: every call that reads a file runs it. */
const openExecutionsQuery: CompiledQuery<ExecutionRow> = CompiledQuery.raw(
  "select * from execution where status = 'running' order by seq",
);

/** Executions in SQL, for both engines. Contains no rules about who may do what. */
export class ExecutionStore {
  readonly database: Database<WorkbenchTables>;

  constructor(database: Database<unknown>) {
    this.database = database.forTables<WorkbenchTables>();
  }

  find(db: Db, id: string): Promise<ExecutionRow | undefined> {
    return db.selectFrom("execution").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /** Until the transaction ends nobody else changes it: its events become visible in the order of their numbers. */
  findForChange(tx: Tx, id: string): Promise<ExecutionRow | undefined> {
    const query = tx.selectFrom("execution").selectAll().where("id", "=", id);
    return (this.database.engine === "postgres" ? query.forUpdate() : query).executeTakeFirst();
  }

  insert(tx: Tx, row: Insertable<ExecutionTable>): Promise<ExecutionRow> {
    return tx.insertInto("execution").values(row).returningAll().executeTakeFirstOrThrow();
  }

  /** `row` was read in the same transaction, so it is current. */
  async update(tx: Tx, row: ExecutionRow, changes: Updateable<ExecutionTable>): Promise<ExecutionRow> {
    const revision = await updateRevised(tx, {
      table: "execution",
      key: { seq: row.seq },
      expected: row.revision,
      changes,
      what: `execution ${row.id}`,
    });
    return { ...row, ...(changes as Partial<ExecutionRow>), revision };
  }

  /** Open executions, oldest first. */
  async listOpen(db: Db): Promise<ExecutionRow[]> {
    const { rows } = await db.getExecutor().executeQuery<ExecutionRow>(openExecutionsQuery);
    return rows;
  }

  findOpen(db: Db, block: string, task: string): Promise<ExecutionRow | undefined> {
    return db
      .selectFrom("execution")
      .selectAll()
      .where("block_id", "=", block)
      .where("task_id", "=", task)
      .where("status", "=", "running")
      .executeTakeFirst();
  }

  /** Newest first. */
  listPage(db: Db, query: ExecutionQuery & { before: number | undefined; limit: number }): Promise<ExecutionRow[]> {
    let rows = this.#selectMatching(db, query).selectAll();
    if (query.before !== undefined) rows = rows.where("seq", "<", query.before);
    return rows.orderBy("seq", "desc").limit(query.limit).execute();
  }

  async count(db: Db, query: ExecutionQuery): Promise<number> {
    const { count } = await this.#selectMatching(db, query)
      .select((eb) => eb.fn.countAll<number | string>().as("count"))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  #selectMatching(db: Db, { status, block, task }: ExecutionQuery) {
    let rows = db.selectFrom("execution");
    if (status && status.length > 0) rows = rows.where("status", "in", status);
    if (block !== undefined) rows = rows.where("block_id", "=", block);
    if (task !== undefined) rows = rows.where("task_id", "=", task);
    return rows;
  }

  async addEvents(tx: Tx, execution: number, events: readonly NewEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += maxRowsPerStatement) {
      const rows = events.slice(from, from + maxRowsPerStatement).map(({ at, kind, message, details = {} }) => ({
        execution,
        at,
        kind,
        message: message.slice(0, maxMessageLength),
        details: JSON.stringify(details),
      }));
      await tx.insertInto("execution_event").values(rows).execute();
    }
  }

  /** The first `limit` after one, or the latest; oldest first. */
  async listEvents(
    db: Db,
    execution: number,
    { after, limit }: { after?: number | undefined; limit: number },
  ): Promise<ExecutionEvent[]> {
    const rows = db.selectFrom("execution_event").selectAll().where("execution", "=", execution).limit(limit);
    const found =
      after === undefined
        ? (await rows.orderBy("seq", "desc").execute()).reverse()
        : await rows.where("seq", ">", after).orderBy("seq").execute();
    return found.map(toEvent);
  }

  /** All of these kinds, oldest first. */
  async listEventsOfKinds(
    db: Db,
    execution: number,
    kinds: readonly EventKind[],
    limit: number,
  ): Promise<ExecutionEvent[]> {
    const rows = await db
      .selectFrom("execution_event")
      .selectAll()
      .where("execution", "=", execution)
      .where("kind", "in", kinds)
      .orderBy("seq", "desc")
      .limit(limit)
      .execute();
    return rows.reverse().map(toEvent);
  }

  /** Changes with every change of its timeline or files. */
  async readVersion(db: Db, execution: number): Promise<(number | string)[]> {
    const event = await db
      .selectFrom("execution_event")
      .select((eb) => eb.fn.max("seq").as("seq"))
      .where("execution", "=", execution)
      .executeTakeFirst();
    const file = await db
      .selectFrom("execution_file")
      .select((eb) => [eb.fn.max("at").as("at"), eb.fn.countAll().as("count")])
      .where("execution", "=", execution)
      .executeTakeFirst();
    return [event?.seq ?? 0, file?.at ?? 0, String(file?.count ?? 0)];
  }

  /** The same for all executions, without changes of files only. */
  async readOverallVersion(db: Db): Promise<number[]> {
    const event = await db
      .selectFrom("execution_event")
      .select((eb) => eb.fn.max("seq").as("seq"))
      .executeTakeFirst();
    const execution = await db
      .selectFrom("execution")
      .select((eb) => eb.fn.max("seq").as("seq"))
      .executeTakeFirst();
    return [event?.seq ?? 0, execution?.seq ?? 0];
  }

  async listFiles(db: Db, execution: number): Promise<ExecutionFile[]> {
    const rows = await db
      .selectFrom("execution_file")
      .selectAll()
      .where("execution", "=", execution)
      .orderBy("path")
      .execute();
    return rows.map(toFile);
  }

  /** Files that Forge's tools wrote, by the execution's id; or only this path. */
  async listWrittenFiles(db: Db, id: string, path?: string): Promise<ExecutionFile[]> {
    let rows = db
      .selectFrom("execution_file")
      .selectAll("execution_file")
      .innerJoin("execution", "execution.seq", "execution_file.execution")
      .where("execution.id", "=", id)
      .where("execution_file.via", "=", "forge");
    if (path !== undefined) rows = rows.where("execution_file.path", "=", path);
    return (await rows.execute()).map(toFile);
  }

  /** The folders of executions in which Forge's tools have written since then. */
  async listWrittenFolders(db: Db, since: number): Promise<string[]> {
    const rows = await db
      .selectFrom("execution_event")
      .innerJoin("execution", "execution.seq", "execution_event.execution")
      .select("execution.root")
      .distinct()
      .where("execution_event.kind", "=", "file")
      .where("execution_event.at", ">=", since)
      // As `JSON.stringify` writes it; in a path, or what else is a text there, the quotes would be escaped.
      .where("execution_event.details", "like", '%"via":"forge"%')
      .execute();
    return rows.map(({ root }) => root);
  }

  /** Marks of what the set-up command left, by the execution's id. */
  async readLeftovers(db: Db, id: string): Promise<string[]> {
    const row = await db
      .selectFrom("execution_leftovers")
      .innerJoin("execution", "execution.seq", "execution_leftovers.execution")
      .select("execution_leftovers.marks")
      .where("execution.id", "=", id)
      .executeTakeFirst();
    return row ? JSON.parse(row.marks) : [];
  }

  async putLeftovers(tx: Tx, execution: number, marks: readonly string[]): Promise<void> {
    const row = { execution, marks: JSON.stringify(marks) };
    await tx.insertInto("execution_leftovers").values(row).execute();
  }

  async putFiles(tx: Tx, execution: number, files: readonly ExecutionFile[]): Promise<void> {
    for (let from = 0; from < files.length; from += maxRowsPerStatement) {
      const rows = files
        .slice(from, from + maxRowsPerStatement)
        .map(({ linesAdded, linesRemoved, sha256 = null, ...file }) => ({
          execution,
          ...file,
          lines_added: linesAdded,
          lines_removed: linesRemoved,
          sha256,
        }));
      await tx
        .insertInto("execution_file")
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(["execution", "path"]).doUpdateSet((eb) => ({
            action: eb.ref("excluded.action"),
            lines_added: eb.ref("excluded.lines_added"),
            lines_removed: eb.ref("excluded.lines_removed"),
            at: eb.ref("excluded.at"),
            via: eb.ref("excluded.via"),
            // What git sees does not change what Forge wrote.
            sha256: eb.fn.coalesce("excluded.sha256", "execution_file.sha256"),
          })),
        )
        .execute();
    }
  }

  async dropFiles(tx: Tx, execution: number, paths: readonly string[]): Promise<void> {
    for (let from = 0; from < paths.length; from += maxRowsPerStatement) {
      await tx
        .deleteFrom("execution_file")
        .where("execution", "=", execution)
        .where("path", "in", paths.slice(from, from + maxRowsPerStatement))
        .execute();
    }
  }
}
