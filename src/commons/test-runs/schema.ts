import type { Migration } from "../../platform/db/types.ts";

type TestRunTable = {
  id: string;
  at: number;
  /** The folder that was tested. */
  root: string;
  /** Hash of the tree it ran on; null outside a repository, and where it changed meanwhile. */
  tree: string | null;
  status: string;
  /** The whole run, as JSON. */
  document: string;
};

export type TestRunTables = { test_run: TestRunTable };

export const testRunMigrations: Migration[] = [
  {
    id: 11,
    name: "test runs",
    async up(db) {
      await db.schema
        .createTable("test_run")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("root", "text", (column) => column.notNull())
        .addColumn("tree", "text")
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("document", "text", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("test_run_at").on("test_run").column("at").execute();
      await db.schema.createIndex("test_run_tree").on("test_run").columns(["tree", "at"]).execute();
      await db.schema.createIndex("test_run_root").on("test_run").columns(["root", "at"]).execute();
    },
  },
];
