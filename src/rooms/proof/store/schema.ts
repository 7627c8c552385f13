import type { Migration } from "../../../platform/db/types.ts";

/** What a team on a server demands before a ticket is completed. */
export type ProofTables = {
  proof_policy: {
    team: string;
    policy: string;
    /** 1 if only verifications by CI count. */
    ci_only: number;
    updated_at: number;
    updated_by: string;
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
];
