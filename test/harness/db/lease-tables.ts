import type { Generated } from "kysely";
import { type LeaseTables, leaseMigrations } from "../../../src/commons/leases/schema.ts";
import type { Migration } from "../../../src/platform/db/types.ts";
import { untilMigration } from "./migrations.ts";

/** What was done under a lease, in the order it was committed. */
export type LeaseTestTables = LeaseTables & {
  deed: { place: Generated<number>; name: string; by: string; token: number };
};

export const leaseTestMigrations: Migration[] = [
  ...untilMigration(3),
  ...leaseMigrations,
  {
    id: 4,
    name: "deeds",
    async up(db, engine) {
      await db.schema
        .createTable("deed")
        .addColumn("place", engine === "sqlite" ? "integer" : "bigint", (column) =>
          engine === "sqlite" ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
        )
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("by", "text", (column) => column.notNull())
        .addColumn("token", "bigint", (column) => column.notNull())
        .execute();
    },
  },
];
