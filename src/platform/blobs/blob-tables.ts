import type { Migration } from "../db/types.ts";

export type BlobTables = {
  blob: { sha256: string; size: number; bytes: Uint8Array; created_at: number };
  /** What had become of content that was found damaged, before it was stored again. */
  blob_damaged: { sha256: string; found_at: number; bytes: Uint8Array };
};

export const blobMigrations: Migration[] = [
  {
    id: 2,
    name: "blobs",
    async up(db, engine) {
      const bytes = engine === "sqlite" ? "blob" : "bytea";
      await db.schema
        .createTable("blob")
        .addColumn("sha256", "text", (column) => column.primaryKey())
        .addColumn("size", "bigint", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("bytes", bytes, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("blob_damaged")
        .addColumn("sha256", "text", (column) => column.notNull())
        .addColumn("found_at", "bigint", (column) => column.notNull())
        .addColumn("bytes", bytes, (column) => column.notNull())
        .execute();
    },
  },
];
