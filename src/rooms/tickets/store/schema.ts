import { type Generated, sql } from "kysely";
import type { Migration } from "../../../platform/db/types.ts";

export type TicketTable = {
  /** In the order of creation; never used twice. */
  seq: Generated<number>;
  /** The team's id on a server; empty on a laptop. */
  team: string;
  id: string;
  slug: string | null;
  title: string;
  status: string;
  previous_status: string | null;
  type: string | null;
  priority: string | null;
  assignee: string | null;
  created_at: number;
  updated_at: number;
  created_by: string | null;
  updated_by: string | null;
  revision: number;
  /** 1 if it contains text by others than the user. */
  is_foreign: number;
  /** On a team's server, the id of the only author; null if there are several, or it is not known. */
  sole_author: string | null;
  /** Everything else, as JSON, in the shape it came in. */
  document: string;
  /** JSON list of the document's labels; null if there are none. */
  labels: string | null;
  /** JSON list of the tickets that have to be done first; null if there are none. */
  depends_on: string | null;
  /** What Forge itself keeps beside the document, as JSON: comments, work, checks and their results. */
  records: string | null;
  /** 1 if it was completed without proof. */
  unproven: number | null;
};

export type EventTable = {
  seq: Generated<number>;
  ticket: number;
  at: number;
  by: string;
  agent: string | null;
  kind: string;
  /** JSON. */
  details: string;
};

export type TicketTables = {
  ticket: TicketTable;
  ticket_event: EventTable;
  /** The last number given to a local ticket. */
  ticket_counter: { team: string; value: number };
  /** The ticket's number is `rowid` on SQLite and `seq` on PostgreSQL. */
  ticket_search: { rowid: number; seq: number; words: string };
};

const ticketMigrations: Migration[] = [
  {
    id: 5,
    name: "tickets",
    async up(db, engine) {
      const number = engine === "sqlite" ? "integer" : "bigint";
      await db.schema
        .createTable("ticket")
        .addColumn("seq", number, (column) =>
          engine === "sqlite" ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
        )
        .addColumn("team", "text", (column) => column.notNull())
        .addColumn("id", "text", (column) => column.notNull())
        .addColumn("slug", "text")
        .addColumn("title", "text", (column) => column.notNull())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("previous_status", "text")
        .addColumn("type", "text")
        .addColumn("priority", "text")
        .addColumn("assignee", "text")
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .addColumn("created_by", "text")
        .addColumn("updated_by", "text")
        .addColumn("revision", "bigint", (column) => column.notNull())
        .addColumn("is_foreign", "integer", (column) => column.notNull())
        .addColumn("document", "text", (column) => column.notNull())
        .addUniqueConstraint("ticket_id", ["team", "id"])
        .addUniqueConstraint("ticket_slug", ["team", "slug"])
        .execute();
      await db.schema.createIndex("ticket_status").on("ticket").columns(["team", "status", "seq"]).execute();
      await db.schema.createIndex("ticket_assignee").on("ticket").columns(["team", "assignee", "seq"]).execute();
      await db.schema.createIndex("ticket_all").on("ticket").columns(["team", "seq"]).execute();
      await db.schema
        .createIndex("ticket_open")
        .on("ticket")
        .columns(["team", "seq"])
        .where(sql<boolean>`status <> 'ARCHIVED'`)
        .execute();
      await db.schema
        .createTable("ticket_event")
        .addColumn("seq", number, (column) =>
          engine === "sqlite" ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
        )
        .addColumn("ticket", "bigint", (column) => column.notNull().references("ticket.seq"))
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("by", "text", (column) => column.notNull())
        .addColumn("agent", "text")
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("details", "text", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("ticket_event_ticket").on("ticket_event").columns(["ticket", "seq"]).execute();
      await db.schema
        .createTable("ticket_counter")
        .addColumn("team", "text", (column) => column.primaryKey())
        .addColumn("value", "bigint", (column) => column.notNull())
        .execute();
      if (engine === "sqlite") {
        // Keeps the index only, not a second copy of the text.
        await sql`create virtual table ticket_search using fts5(words, content='', contentless_delete=1)`.execute(db);
        return;
      }
      await db.schema
        .createTable("ticket_search")
        .addColumn("seq", "bigint", (column) => column.primaryKey().references("ticket.seq"))
        .addColumn("words", sql`tsvector`, (column) => column.notNull())
        .execute();
      await db.schema.createIndex("ticket_search_words").on("ticket_search").using("gin").column("words").execute();
    },
  },
];

const authorshipMigrations: Migration[] = [
  {
    id: 10,
    name: "authorship",
    async up(db) {
      // The authors of existing tickets are not known, so they have no sole author.
      await db.schema.alterTable("ticket").addColumn("sole_author", "text").execute();
    },
  },
];

const recordMigrations: Migration[] = [
  {
    id: 21,
    name: "ticket records",
    async up(db) {
      for (const name of ["labels", "depends_on", "records"])
        await db.schema.alterTable("ticket").addColumn(name, "text").execute();
      await db.schema.alterTable("ticket").addColumn("unproven", "integer").execute();
      // What can be started next is read from this index, by priority and in the order of creation.
      await db.schema
        .createIndex("ticket_next")
        .on("ticket")
        .columns(["team", "priority", "seq"])
        .where(sql<boolean>`status = 'READY' and assignee is null`)
        .execute();
    },
  },
];

/** Their ids give their places among the steps of all rooms. */
export const migrations: Migration[] = [...ticketMigrations, ...authorshipMigrations, ...recordMigrations];
