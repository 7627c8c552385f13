import type { Migration } from "../../../platform/db/types.ts";

/** What a team on a server demands before a ticket is completed, and how the server signs. */
export type ProofTables = {
  proof_policy: {
    team: string;
    policy: string;
    /** 1 if only verifications by CI count. */
    ci_only: number;
    updated_at: number;
    updated_by: string;
  };
  /** The key that servers on this database sign receipts with; one row. */
  receipt_key: {
    id: number;
    /** PKCS #8 as PEM; encrypted if the server has a secret. */
    private_key: string;
    created_at: number;
  };
};

export const migrations: Migration[] = [
  {
    id: 23,
    name: "proof policy",
    async up(db) {
      await db.schema
        .createTable("proof_policy")
        .addColumn("team", "text", (column) => column.primaryKey())
        .addColumn("policy", "text", (column) => column.notNull())
        .addColumn("ci_only", "integer", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .addColumn("updated_by", "text", (column) => column.notNull())
        .execute();
    },
  },
  {
    id: 25,
    name: "receipt key",
    async up(db) {
      await db.schema
        .createTable("receipt_key")
        .addColumn("id", "integer", (column) => column.primaryKey())
        .addColumn("private_key", "text", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .execute();
    },
  },
];
