import type { Generated } from "kysely";
import type { Migration } from "../../platform/db/types.ts";

export type GuardTables = {
  /** Callers that have read what others wrote. */
  untrusted_reader: {
    principal: string;
    agent: string;
    /** 0 if only the repository was read. */
    read_at: number;
    /** When text of a repository was read that was not trusted then. */
    repository_read_at: Generated<number>;
  };
  /** Changes that wait for a person's word, and what it was. */
  approval: {
    id: string;
    caller: string;
    /** Of the exact change; see `action.ts`. */
    sha256: string;
    summary: string;
    /** A JSON list. */
    touches: string;
    asked_at: number;
    expires_at: number;
    decision: "approved" | "denied" | null;
    decided_by: string | null;
    decided_at: number | null;
    /** Shows that the decision was made here and not brought along in the database file. */
    seal: string | null;
    used_at: number | null;
  };
  /** What Forge remembers of texts and files, as `kind` and `subject`. */
  guard_mark: {
    kind: "foreign" | "author" | "adopted" | "allowed" | "store";
    subject: string;
    /** Of the text that was meant; empty where any is. For an author, who it is. */
    sha256: string;
    by: string;
    at: number;
    /** Shows that a decision was made here and not brought along in the database file. */
    seal: string;
  };
};

export const guardMigrations: Migration[] = [
  {
    id: 4,
    name: "guard",
    async up(db) {
      await db.schema
        .createTable("untrusted_reader")
        .addColumn("principal", "text", (column) => column.notNull())
        .addColumn("agent", "text", (column) => column.notNull())
        .addColumn("read_at", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("untrusted_reader_key", ["principal", "agent"])
        .execute();
      await db.schema
        .createTable("approval")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("caller", "text", (column) => column.notNull())
        .addColumn("sha256", "text", (column) => column.notNull())
        .addColumn("summary", "text", (column) => column.notNull())
        .addColumn("touches", "text", (column) => column.notNull())
        .addColumn("asked_at", "bigint", (column) => column.notNull())
        .addColumn("expires_at", "bigint", (column) => column.notNull())
        .addColumn("decision", "text")
        .addColumn("decided_by", "text")
        .addColumn("decided_at", "bigint")
        .addColumn("seal", "text")
        .addColumn("used_at", "bigint")
        .execute();
      await db.schema.createIndex("approval_caller").on("approval").columns(["caller", "sha256"]).execute();
    },
  },
];

export const markMigrations: Migration[] = [
  {
    id: 16,
    name: "guard marks",
    async up(db) {
      await db.schema
        .createTable("guard_mark")
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("subject", "text", (column) => column.notNull())
        .addColumn("sha256", "text", (column) => column.notNull())
        .addColumn("by", "text", (column) => column.notNull())
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("seal", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("guard_mark_key", ["kind", "subject"])
        .execute();
      await db.schema
        .alterTable("untrusted_reader")
        .addColumn("repository_read_at", "bigint", (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
];
