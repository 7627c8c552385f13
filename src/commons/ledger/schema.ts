import type { Generated } from "kysely";
import type { Migration } from "../../platform/db/types.ts";

export type EntryTable = {
  /** Counts up with every entry in the order they were committed; an entry that changes gets a new one. */
  seq: Generated<number>;
  id: string;
  at: number;
  kind: string;
  name: string;
  effect: string;
  principal: string;
  agent: string | null;
  /** JSON lists; `ledger_about` has the same for looking up. */
  about: string;
  evidence: string;
  outcome: string;
  code: string | null;
  duration_ms: number;
  /** For an open entry: until when its process has promised to be alive. */
  alive_until: number | null;
  /** What the clock said when it was written; null in entries that are older than this column. */
  written_at: number | null;
  /** How often the clock had been set back by then: entries are in order of time within one of these. */
  era: Generated<number>;
};

type OnceTable = {
  /** A hash: of the caller, the route and the key the caller chose. */
  key: string;
  /** Hash of what was asked. */
  request_hash: string;
  at: number;
  /** The ledger entry of the call that made the change. */
  call: string;
  /** What the caller was told, as JSON; null until it is known, and where it was a secret. */
  answer: string | null;
};

type ToldTable = {
  /** The mark of entries for one person's team on one server. */
  mark: string;
  /** Of the last entry that the server was told. */
  seq: number;
};

export type LedgerTables = {
  ledger_entry: EntryTable;
  ledger_once: OnceTable;
  ledger_told: ToldTable;
  ledger_about: { about: string; seq: number };
};

export const ledgerMigrations: Migration[] = [
  {
    id: 1,
    name: "ledger",
    async up(db, engine) {
      await db.schema
        .createTable("ledger_entry")
        .addColumn("seq", engine === "sqlite" ? "integer" : "bigint", (column) =>
          // Never used twice, not even after the newest entries were removed: followers go by it.
          engine === "sqlite" ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
        )
        .addColumn("id", "text", (column) => column.notNull().unique())
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("effect", "text", (column) => column.notNull())
        .addColumn("principal", "text", (column) => column.notNull())
        .addColumn("agent", "text")
        .addColumn("about", "text", (column) => column.notNull())
        .addColumn("evidence", "text", (column) => column.notNull())
        .addColumn("outcome", "text", (column) => column.notNull())
        .addColumn("code", "text")
        .addColumn("duration_ms", "bigint", (column) => column.notNull())
        .addColumn("alive_until", "bigint")
        .execute();
      await db.schema.createIndex("ledger_entry_at").on("ledger_entry").column("at").execute();
      await db.schema.createIndex("ledger_entry_alive").on("ledger_entry").column("alive_until").execute();
      await db.schema
        .createTable("ledger_about")
        .addColumn("about", "text", (column) => column.notNull())
        .addColumn("seq", "bigint", (column) => column.notNull().references("ledger_entry.seq").onDelete("cascade"))
        .addPrimaryKeyConstraint("ledger_about_key", ["about", "seq"])
        .execute();
      await db.schema.createIndex("ledger_about_seq").on("ledger_about").column("seq").execute();
    },
  },
  {
    id: 17,
    name: "ledger-order",
    async up(db) {
      await db.schema.alterTable("ledger_entry").addColumn("written_at", "bigint").execute();
      const era = db.schema.alterTable("ledger_entry");
      await era.addColumn("era", "integer", (column) => column.notNull().defaultTo(0)).execute();
      await db.schema.createIndex("ledger_entry_order").on("ledger_entry").columns(["era", "at", "seq"]).execute();
    },
  },
  {
    id: 24,
    name: "ledger-open-calls",
    async up(db) {
      // Nearly all calls have ended. Those are not in the index, so writing them costs nothing for it.
      await db.schema.dropIndex("ledger_entry_alive").execute();
      await db.schema
        .createIndex("ledger_entry_alive")
        .on("ledger_entry")
        .column("alive_until")
        .where("alive_until", "is not", null)
        .execute();
    },
  },
];

export const onceMigrations: Migration[] = [
  {
    id: 7,
    name: "once",
    async up(db) {
      await db.schema
        .createTable("ledger_once")
        .addColumn("key", "text", (column) => column.primaryKey())
        .addColumn("request_hash", "text", (column) => column.notNull())
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("call", "text", (column) => column.notNull())
        .addColumn("answer", "text")
        .execute();
      await db.schema.createIndex("ledger_once_at").on("ledger_once").column("at").execute();
    },
  },
];

export const relayMigrations: Migration[] = [
  {
    id: 9,
    name: "relay",
    async up(db) {
      await db.schema
        .createTable("ledger_told")
        .addColumn("mark", "text", (column) => column.primaryKey())
        .addColumn("seq", "bigint", (column) => column.notNull())
        .execute();
    },
  },
];
