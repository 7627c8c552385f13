import { type ColumnDefinitionBuilder, sql, type Transaction } from "kysely";
import type { Migration } from "../../../platform/db/types.ts";
import type { WorkbenchTables } from "./schema.ts";

const workbenchMigrations: Migration[] = [
  {
    id: 12,
    name: "workbench",
    async up(db, engine) {
      const number = engine === "sqlite" ? "integer" : "bigint";
      const table = (name: string) =>
        db.schema
          .createTable(name)
          .addColumn("seq", number, (column) =>
            engine === "sqlite" ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
          );
      await table("block")
        .addColumn("id", "text", (column) => column.notNull().unique())
        .addColumn("name", "text", (column) => column.notNull().unique())
        .addColumn("document", "text", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .addColumn("revision", "bigint", (column) => column.notNull())
        .execute();
      await table("task")
        .addColumn("block", "bigint", (column) => column.notNull().references("block.seq"))
        .addColumn("id", "text", (column) => column.notNull())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("commit_id", "text", (column) => column.notNull())
        .addColumn("ticket", "text")
        .addColumn("document", "text", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .addColumn("updated_by", "text")
        .addColumn("revision", "bigint", (column) => column.notNull())
        .addUniqueConstraint("task_id", ["block", "id"])
        .execute();
      await db.schema.createIndex("task_by_id").on("task").column("id").execute();
      await db.schema.createIndex("task_by_status").on("task").columns(["status", "seq"]).execute();
      await db.schema.createIndex("task_by_block").on("task").columns(["block", "status", "seq"]).execute();
      await db.schema
        .createTable("task_dependency")
        .addColumn("task", "bigint", (column) => column.notNull().references("task.seq"))
        .addColumn("place", "integer", (column) => column.notNull())
        .addColumn("ref", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("task_dependency_place", ["task", "place"])
        .execute();
      await db.schema
        .createTable("task_count")
        .addColumn("block", "bigint", (column) => column.notNull().references("block.seq"))
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("count", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("task_count_of", ["block", "status"])
        .execute();
      await db.schema
        .createTable("task_total")
        .addColumn("status", "text", (column) => column.primaryKey())
        .addColumn("count", "bigint", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("blocks_file")
        .addColumn("path", "text", (column) => column.primaryKey())
        .addColumn("sha256", "text", (column) => column.notNull())
        .addColumn("imported_at", "bigint", (column) => column.notNull())
        .execute();
      await table("execution")
        .addColumn("id", "text", (column) => column.notNull().unique())
        .addColumn("block_id", "text", (column) => column.notNull())
        .addColumn("task_id", "text", (column) => column.notNull())
        .addColumn("task_name", "text", (column) => column.notNull())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("stage", "text", (column) => column.notNull())
        .addColumn("options", "text", (column) => column.notNull())
        .addColumn("branch", "text")
        .addColumn("base_branch", "text")
        .addColumn("base_commit", "text", (column) => column.notNull())
        .addColumn("root", "text", (column) => column.notNull())
        .addColumn("started_by", "text", (column) => column.notNull())
        .addColumn("agent", "text")
        .addColumn("holder", "text")
        .addColumn("started_at", "bigint", (column) => column.notNull())
        .addColumn("ended_at", "bigint")
        .addColumn("commit_id", "text")
        .addColumn("untracked_before", "text", (column) => column.notNull())
        .addColumn("intent", "text")
        .addColumn("revision", "bigint", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("execution_status").on("execution").columns(["status", "seq"]).execute();
      await db.schema.createIndex("execution_task").on("execution").columns(["block_id", "task_id"]).execute();
      await table("execution_event")
        .addColumn("execution", "bigint", (column) => column.notNull().references("execution.seq"))
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("message", "text", (column) => column.notNull())
        .addColumn("details", "text", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("execution_event_of").on("execution_event").columns(["execution", "seq"]).execute();
      await db.schema
        .createTable("execution_file")
        .addColumn("execution", "bigint", (column) => column.notNull().references("execution.seq"))
        .addColumn("path", "text", (column) => column.notNull())
        .addColumn("action", "text", (column) => column.notNull())
        .addColumn("lines_added", "bigint", (column) => column.notNull())
        .addColumn("lines_removed", "bigint", (column) => column.notNull())
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("via", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("execution_file_path", ["execution", "path"])
        .execute();
    },
  },
];

/** What can be executed, in an index. */
const readinessMigrations: Migration[] = [
  {
    id: 13,
    name: "ready tasks",
    async up(db) {
      const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
      await db.schema.alterTable("task").addColumn("waits", "integer", zero).execute();
      await db.schema.alterTable("task_count").addColumn("free", "bigint", zero).execute();
      await db.schema.alterTable("task_total").addColumn("free", "bigint", zero).execute();
      await db.schema.createIndex("task_by_waits").on("task").columns(["waits", "status", "seq"]).execute();
      await db.schema
        .createIndex("task_of_block_by_waits")
        .on("task")
        .columns(["block", "waits", "status", "seq"])
        .execute();
      await db.schema.createIndex("task_dependency_ref").on("task_dependency").columns(["ref", "task"]).execute();
      await sql`create index lease_held on lease (name) where holder is not null`.execute(db);
      const { rows } = await sql`select 1 from task limit 1`.execute(db);
      if (rows.length === 0) return;
      await sql`update task_count set free = count`.execute(db);
      await sql`update task_total set free = count`.execute(db);
      const { updateAllWaits: waitAfterAll } = await import("../board/service/waiting-tasks.ts");
      await waitAfterAll(db as unknown as Transaction<WorkbenchTables>);
    },
  },
];

/** A ticket shows its tasks. */
const ticketMigrations: Migration[] = [
  {
    id: 22,
    name: "tasks of tickets",
    async up(db) {
      await sql`create index task_ticket on task (ticket) where ticket is not null`.execute(db);
    },
  },
];

/** Words that tasks are found by, in an index. */
const taskSearchMigrations: Migration[] = [
  {
    id: 15,
    name: "task search",
    async up(db, engine) {
      if (engine === "sqlite")
        await sql`create virtual table task_search using fts5(words, content='', contentless_delete=1)`.execute(db);
      else {
        await db.schema
          .createTable("task_search")
          .addColumn("seq", "bigint", (column) => column.primaryKey().references("task.seq"))
          .addColumn("words", sql`tsvector`, (column) => column.notNull())
          .execute();
        await db.schema.createIndex("task_search_words").on("task_search").using("gin").column("words").execute();
      }
      const { rows } = await sql`select 1 from task limit 1`.execute(db);
      if (rows.length === 0) return;
      const { indexAllTasks } = await import("../board/store/task-search.ts");
      await indexAllTasks(db as unknown as Transaction<WorkbenchTables>, engine);
    },
  },
];

/** Whose the changes in an execution's folder are. */
const ownershipMigrations: Migration[] = [
  {
    id: 14,
    name: "whose changes",
    async up(db) {
      await db.schema.alterTable("execution_file").addColumn("sha256", "text").execute();
      await db.schema
        .createTable("execution_leftovers")
        .addColumn("execution", "bigint", (column) => column.primaryKey().references("execution.seq"))
        .addColumn("marks", "text", (column) => column.notNull())
        .execute();
    },
  },
];

/** In their places among the steps of all rooms. */
export const migrations: Migration[] = [
  ...workbenchMigrations,
  ...readinessMigrations,
  ...taskSearchMigrations,
  ...ticketMigrations,
  ...ownershipMigrations,
];
