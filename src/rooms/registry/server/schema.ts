import { type Generated, sql } from "kysely";
import type { Migration } from "../../../platform/db/types.ts";

export type PackageTable = {
  seq: Generated<number>;
  /** `plugin`, or `agent` or `tool` for a part of one that can be had alone. */
  kind: string;
  name: string;
  /** The plugin that it is a part of; null for a plugin. */
  plugin: string | null;
  description: string | null;
  author: string | null;
  /** JSON. */
  tags: string;
  /** The highest version that was not withdrawn; null if all were. */
  latest: string | null;
  downloads: number;
  /** Grows with every change, so that clients notice an old answer. */
  serial: number;
  updated_at: number;
};

export type VersionTable = {
  package: number;
  version: string;
  /** JSON: a plugin's manifest, or the text of a definition. */
  document: string;
  integrity: string;
  /** Of the archive; null for a part. */
  blob: string | null;
  size: number;
  /** JSON. */
  signature: string | null;
  published_at: number;
  published_by: string;
  /** Why it was withdrawn; null if it was not. */
  yanked: string | null;
};

export type RegistryTables = {
  /** Who publishes in a scope: the team that first did. */
  registry_scope: { scope: string; team: string; created_at: number };
  registry_package: PackageTable;
  registry_version: VersionTable;
  /** The package's number is `rowid` on SQLite and `seq` on PostgreSQL. */
  registry_search: { rowid: number; seq: number; words: string };
};

/** Their ids give their places among the steps of all rooms. */
export const migrations: Migration[] = [
  {
    id: 19,
    name: "registry",
    async up(db, engine) {
      const number = engine === "sqlite" ? "integer" : "bigint";
      await db.schema
        .createTable("registry_scope")
        .addColumn("scope", "text", (column) => column.primaryKey())
        .addColumn("team", "text", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("registry_package")
        .addColumn("seq", number, (column) =>
          engine === "sqlite" ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
        )
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("plugin", "text")
        .addColumn("description", "text")
        .addColumn("author", "text")
        .addColumn("tags", "text", (column) => column.notNull())
        .addColumn("latest", "text")
        .addColumn("downloads", "bigint", (column) => column.notNull())
        .addColumn("serial", "bigint", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .addUniqueConstraint("registry_package_name", ["kind", "name"])
        .execute();
      await db.schema
        .createIndex("registry_package_rank")
        .on("registry_package")
        .columns(["kind", "downloads desc", "name"])
        .execute();
      await db.schema
        .createTable("registry_version")
        .addColumn("package", "bigint", (column) => column.notNull().references("registry_package.seq"))
        .addColumn("version", "text", (column) => column.notNull())
        .addColumn("document", "text", (column) => column.notNull())
        .addColumn("integrity", "text", (column) => column.notNull())
        .addColumn("blob", "text")
        .addColumn("size", "bigint", (column) => column.notNull())
        .addColumn("signature", "text")
        .addColumn("published_at", "bigint", (column) => column.notNull())
        .addColumn("published_by", "text", (column) => column.notNull())
        .addColumn("yanked", "text")
        .addPrimaryKeyConstraint("registry_version_key", ["package", "version"])
        .execute();
      if (engine === "sqlite") {
        await sql`create virtual table registry_search using fts5(words, content='', contentless_delete=1)`.execute(db);
        return;
      }
      await db.schema
        .createTable("registry_search")
        .addColumn("seq", "bigint", (column) => column.primaryKey().references("registry_package.seq"))
        .addColumn("words", sql`tsvector`, (column) => column.notNull())
        .execute();
      await db.schema.createIndex("registry_search_words").on("registry_search").using("gin").column("words").execute();
    },
  },
];
