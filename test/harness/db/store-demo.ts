import { type Database, openDatabase } from "../../../src/platform/db/database.ts";
import type { Migration, Place } from "../../../src/platform/db/types.ts";

/** Tables for the tests of the store itself. */
export type DemoTables = {
  counter: { id: string; count: number };
  note: { id: string; text: string; colour: string; revision: number; updated_by: string; updated_at: number };
};

export const demoMigrations: Migration[] = [
  {
    id: 1,
    name: "counter",
    async up(db) {
      await db.schema
        .createTable("counter")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("count", "bigint", (column) => column.notNull())
        .execute();
    },
  },
  {
    id: 2,
    name: "note",
    async up(db) {
      await db.schema
        .createTable("note")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("text", "text", (column) => column.notNull())
        .addColumn("colour", "text", (column) => column.notNull())
        .addColumn("revision", "integer", (column) => column.notNull())
        .addColumn("updated_by", "text", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .execute();
    },
  },
];

export function openDemo(place: Place, migrations: readonly Migration[] = demoMigrations): Database<DemoTables> {
  return openDatabase<DemoTables>(place, migrations);
}

export function addCounter(db: Database<DemoTables>, id: string): Promise<unknown> {
  return db.transaction((tx) => tx.insertInto("counter").values({ id, count: 0 }).execute());
}

export async function countOf(db: Database<DemoTables>, id: string): Promise<number | undefined> {
  const row = await db.read((reads) =>
    reads.selectFrom("counter").select("count").where("id", "=", id).executeTakeFirst(),
  );
  return row?.count;
}

export function addNote(db: Database<DemoTables>, id: string): Promise<unknown> {
  const note = { id, text: "first", colour: "red", revision: 1, updated_by: "ann", updated_at: 1 };
  return db.transaction((tx) => tx.insertInto("note").values(note).execute());
}
