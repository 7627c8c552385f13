import type { Generated } from "kysely";
import type { Migration } from "../../../platform/db/types.ts";

export type MemoryTable = {
  seq: Generated<number>;
  /** The project's app id in a database of several projects; empty in a project's own file. */
  project: string;
  id: string;
  historic_id: string;
  type: string;
  agent: string;
  /** Empty once it is deleted. */
  text: string;
  /** JSON list. */
  tags: string;
  origin: string;
  is_derived: number;
  written_by: string;
  source: string | null;
  created_at: number;
  deleted_at: number | null;
  /** The project's count of changes when this row was changed last: what is newer is read again. */
  change: number;
  /** The embedder that made the vector; null while there is none. */
  model: string | null;
  vector: Uint8Array | null;
  /** The words of the text, hashed, for ranking. */
  terms: Uint8Array;
  /** 1 once the store of vectors outside this database has it. */
  is_shared: number;
};

/** A failure that was filed: of a completion contract, of a test run, or by hand. */
export type FailureTable = {
  fingerprint: string;
  project: string;
  category: string;
  severity: string;
  agent: string;
  title: string;
  /** JSON: what happened, cause, lesson, rule, files. */
  document: string;
  count: number;
  first_at: number;
  last_at: number;
};

export type CompletionTable = { id: string; project: string; at: number; status: string; document: string };

export type MemoryTables = {
  memory: MemoryTable;
  memory_state: { project: string; change: number };
  memory_failure: FailureTable;
  completion_run: CompletionTable;
};

export const migrations: Migration[] = [
  {
    id: 20,
    name: "memory",
    async up(db, engine) {
      const number = engine === "sqlite" ? "integer" : "bigint";
      const bytes = engine === "sqlite" ? "blob" : "bytea";
      await db.schema
        .createTable("memory")
        .addColumn("seq", number, (column) =>
          engine === "sqlite" ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
        )
        .addColumn("project", "text", (column) => column.notNull())
        .addColumn("id", "text", (column) => column.notNull())
        .addColumn("historic_id", "text", (column) => column.notNull())
        .addColumn("type", "text", (column) => column.notNull())
        .addColumn("agent", "text", (column) => column.notNull())
        .addColumn("text", "text", (column) => column.notNull())
        .addColumn("tags", "text", (column) => column.notNull())
        .addColumn("origin", "text", (column) => column.notNull())
        .addColumn("is_derived", "integer", (column) => column.notNull())
        .addColumn("written_by", "text", (column) => column.notNull())
        .addColumn("source", "text")
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("deleted_at", "bigint")
        .addColumn("change", "bigint", (column) => column.notNull())
        .addColumn("model", "text")
        .addColumn("vector", bytes)
        .addColumn("terms", bytes, (column) => column.notNull())
        .addColumn("is_shared", "integer", (column) => column.notNull())
        .addUniqueConstraint("memory_id", ["project", "id"])
        .execute();
      await db.schema.createIndex("memory_change").on("memory").columns(["project", "change"]).execute();
      await db.schema
        .createTable("memory_state")
        .addColumn("project", "text", (column) => column.primaryKey())
        .addColumn("change", "bigint", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("memory_failure")
        .addColumn("fingerprint", "text", (column) => column.notNull())
        .addColumn("project", "text", (column) => column.notNull())
        .addColumn("category", "text", (column) => column.notNull())
        .addColumn("severity", "text", (column) => column.notNull())
        .addColumn("agent", "text", (column) => column.notNull())
        .addColumn("title", "text", (column) => column.notNull())
        .addColumn("document", "text", (column) => column.notNull())
        .addColumn("count", "bigint", (column) => column.notNull())
        .addColumn("first_at", "bigint", (column) => column.notNull())
        .addColumn("last_at", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("memory_failure_key", ["project", "fingerprint"])
        .execute();
      await db.schema
        .createTable("completion_run")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("project", "text", (column) => column.notNull())
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("document", "text", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("completion_run_at").on("completion_run").columns(["project", "at"]).execute();
    },
  },
];
