import type { Generated } from "kysely";
import type { Migration } from "../../platform/db/types.ts";

export type LeaseTables = {
  /** A row is never deleted once its name was claimed: its token must not start again. */
  lease: {
    name: string;
    token: number;
    /** Null once released. */
    holder: string | null;
    ttl_ms: number;
    renewed_at: number;
  };
  /** Those who wait, in the order they came. */
  lease_waiter: { place: Generated<number>; name: string; waiter: string; seen_at: number };
};

export const leaseMigrations: Migration[] = [
  {
    id: 3,
    name: "leases",
    async up(db, engine) {
      await db.schema
        .createTable("lease")
        .addColumn("name", "text", (column) => column.primaryKey())
        .addColumn("token", "bigint", (column) => column.notNull())
        .addColumn("holder", "text")
        .addColumn("ttl_ms", "bigint", (column) => column.notNull())
        .addColumn("renewed_at", "bigint", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("lease_waiter")
        .addColumn("place", engine === "sqlite" ? "integer" : "bigint", (column) =>
          engine === "sqlite" ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
        )
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("waiter", "text", (column) => column.notNull().unique())
        .addColumn("seen_at", "bigint", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("lease_waiter_name").on("lease_waiter").columns(["name", "place"]).execute();
    },
  },
];
