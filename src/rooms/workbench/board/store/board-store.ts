import { sql, type Transaction } from "kysely";
import type { TextOrigin } from "../../../../kernel/calls/call.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { updateRevised } from "../../../../platform/db/revision.ts";
import { runSql } from "../../../../platform/db/run-sql.ts";
import type { Reads } from "../../../../platform/db/types.ts";
import type { BlocksFileTable, WorkbenchTables } from "../../store/schema.ts";
import { createId } from "../model/ids.ts";
import { splitIntoChunks } from "./chunks.ts";
import { countNewTasks, moveTaskCount } from "./counts.ts";
import { type BlockRow, type NewBlock, type NewTask, type TaskRow, toStatus } from "./rows.ts";
import { indexTasks, reindexTask } from "./task-search.ts";

export type Tx = Transaction<WorkbenchTables>;
export type Db = Reads<WorkbenchTables>;

/** A new task and its dependencies. */
export type TaskInsert = { row: NewTask; dependencies: readonly string[] };

/** PostgreSQL rejects such text even in a query. */
const isUnstorable = (given: string) => given.includes("\0");

/** Blocks and tasks in SQL, for both engines. Contains no rules about who may do what. */
export class BoardStore {
  readonly database: Database<WorkbenchTables>;

  constructor(database: Database<unknown>) {
    this.database = database.forTables<WorkbenchTables>();
  }

  /** By id, else by name. */
  async findBlock(db: Db, ref: string): Promise<BlockRow | undefined> {
    if (isUnstorable(ref)) return undefined;
    const byId = await sql<BlockRow>`select * from block where id = ${ref}`.execute(db);
    if (byId.rows[0]) return byId.rows[0];
    const byName = await sql<BlockRow>`select * from block where name = ${ref}`.execute(db);
    return byName.rows[0];
  }

  async findTask(db: Db, block: number, id: string): Promise<TaskRow | undefined> {
    if (isUnstorable(id)) return undefined;
    const { rows } = await sql<TaskRow>`select * from task where block = ${block} and id = ${id}`.execute(db);
    return rows[0];
  }

  /** In any block. */
  async findTaskBlock(db: Db, id: string): Promise<{ block: string } | undefined> {
    if (isUnstorable(id)) return undefined;
    const { rows } = await sql<{ block: string }>`
      select block.id as block from task join block on block.seq = task.block where task.id = ${id} limit 1`.execute(
      db,
    );
    return rows[0];
  }

  async hasBlocks(db: Db): Promise<boolean> {
    const { rows } = await sql`select 1 from block limit 1`.execute(db);
    return rows.length > 0;
  }

  /** Whose words the names of blocks and tasks can be, as far as nobody looks at each: errors suggest names. */
  async originOfNames(db: Db): Promise<TextOrigin> {
    const { rows } = await sql`
      select 1 from guard_mark where kind = 'foreign' and (subject like 'block:%' or subject like 'task:%') limit 1`.execute(
      db,
    );
    return rows.length > 0 ? "others" : "repository";
  }

  /** The first ones, for suggestions. */
  async listBlockNames(db: Db, limit: number): Promise<Pick<BlockRow, "id" | "name">[]> {
    return db.selectFrom("block").select(["id", "name"]).orderBy("seq").limit(limit).execute();
  }

  async listTaskIds(db: Db, block: number, limit: number): Promise<string[]> {
    const rows = await db.selectFrom("task").select("id").where("block", "=", block).limit(limit).execute();
    return rows.map(({ id }) => id);
  }

  listBlocks(db: Db): Promise<BlockRow[]> {
    return db.selectFrom("block").selectAll().orderBy("seq").execute();
  }

  listTasks(db: Db, block: number): Promise<TaskRow[]> {
    return db.selectFrom("task").selectAll().where("block", "=", block).orderBy("seq").execute();
  }

  async listTasksOfTicket(db: Db, ticket: string, limit: number) {
    // Part of every reading of a ticket.
    const text = `select task.id, block.id as block_id, task.name, task.status
      from task join block on block.seq = task.block
      where task.ticket = ${this.database.engine === "sqlite" ? "?" : "$1"} order by task.seq limit ${limit}`;
    const rows = await runSql<{ id: string; block_id: string; name: string; status: string }>(db, text, [ticket]);
    return rows.map(({ block_id, status, ...row }) => ({ ...row, blockId: block_id, status: toStatus(status) }));
  }

  /** An id that no block has as id or name. */
  async createBlockId(tx: Tx): Promise<string> {
    for (;;) {
      const id = createId();
      if (!(await this.findBlock(tx, id))) return id;
    }
  }

  /** An id that no task has, so that it is unique on the board. */
  async createTaskId(tx: Tx): Promise<string> {
    for (;;) {
      const id = createId();
      if (!(await this.findTaskBlock(tx, id))) return id;
    }
  }

  insertBlock(tx: Tx, row: NewBlock): Promise<BlockRow> {
    return tx.insertInto("block").values(row).returningAll().executeTakeFirstOrThrow();
  }

  /** In this order; returns their numbers by id. */
  async insertBlocks(tx: Tx, rows: readonly NewBlock[]): Promise<Map<string, number>> {
    const seqs = new Map<string, number>();
    for (const some of splitIntoChunks(rows)) {
      const made = await tx.insertInto("block").values(some).returning(["seq", "id"]).execute();
      for (const { seq, id } of made) seqs.set(id, seq);
    }
    return seqs;
  }

  /** In this order, in any blocks; returns their numbers. Does not check whether they wait for others. */
  async insertTasks(tx: Tx, tasks: readonly TaskInsert[]): Promise<number[]> {
    const all: number[] = [];
    for (const some of splitIntoChunks(tasks)) {
      const made = await tx
        .insertInto("task")
        .values(some.map(({ row }) => row))
        .returning(["seq", "block", "id"])
        .execute();
      const seqs = new Map(made.map(({ seq, block, id }) => [`${block} ${id}`, seq]));
      all.push(...seqs.values());
      const searched = some.map(({ row }) => ({ ...row, seq: seqs.get(`${row.block} ${row.id}`) ?? 0 }));
      await indexTasks(tx, this.database.engine, searched);
      await this.#insertDependencies(
        tx,
        some.flatMap(({ row, dependencies }) => {
          const task = seqs.get(`${row.block} ${row.id}`) ?? 0;
          return dependencies.map((ref, place) => ({ task, place, ref }));
        }),
      );
    }
    await countNewTasks(
      tx,
      tasks.map(({ row }) => ({ block: row.block, status: toStatus(row.status) })),
    );
    return all;
  }

  async #insertDependencies(tx: Tx, rows: readonly { task: number; place: number; ref: string }[]): Promise<void> {
    for (const some of splitIntoChunks(rows)) await tx.insertInto("task_dependency").values(some).execute();
  }

  async setDependencies(tx: Tx, task: number, refs: readonly string[]): Promise<void> {
    await tx.deleteFrom("task_dependency").where("task", "=", task).execute();
    await this.#insertDependencies(
      tx,
      refs.map((ref, place) => ({ task, place, ref })),
    );
  }

  /** Returns the new revision; a CONFLICT_ERROR where the row has moved on. Keeps the counts. */
  async updateTask(tx: Tx, row: TaskRow, expected: number, changes: Partial<NewTask>): Promise<number> {
    const revision = await updateRevised(tx, {
      table: "task",
      key: { seq: row.seq },
      expected,
      changes,
      what: `task ${row.id}`,
      show: ({ name, status, commit_id, ticket, document }) => ({
        name,
        status,
        commit_id,
        ticket_id: ticket,
        text: document,
      }),
    });
    await reindexTask(tx, this.database.engine, row, changes);
    if (changes.status !== undefined)
      await moveTaskCount(tx, { ...row, status: toStatus(row.status) }, toStatus(changes.status));
    return revision;
  }

  updateBlock(tx: Tx, row: BlockRow, expected: number, changes: Partial<NewBlock>): Promise<number> {
    return updateRevised(tx, {
      table: "block",
      key: { seq: row.seq },
      expected,
      changes,
      what: `block ${row.id}`,
      show: ({ name, document }) => ({ name, text: document }),
    });
  }

  /** The execution that a task is in, if any. */
  async findRunningExecution(db: Db, blockId: string, taskId: string): Promise<string | undefined> {
    const { rows } = await sql<{ id: string }>`
      select id from execution where block_id = ${blockId} and task_id = ${taskId} and status = 'running'
      limit 1`.execute(db);
    return rows[0]?.id;
  }

  async findImportedFile(db: Db, path: string): Promise<BlocksFileTable | undefined> {
    const { rows } = await sql<BlocksFileTable>`select * from blocks_file where path = ${path}`.execute(db);
    return rows[0];
  }

  async saveImportedFile(tx: Tx, file: BlocksFileTable): Promise<void> {
    const { sha256, imported_at } = file;
    await tx
      .insertInto("blocks_file")
      .values(file)
      .onConflict((conflict) => conflict.column("path").doUpdateSet({ sha256, imported_at }))
      .execute();
  }
}
