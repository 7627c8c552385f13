import { type ColumnDefinitionBuilder, type CreateTableBuilder, sql } from "kysely";
import type { Migration } from "../../../platform/db/types.ts";

/** `team` is the team's id on a server, and empty on a laptop. */
type OfTeam = { team: string };

export type ProjectTable = OfTeam & {
  id: string;
  name: string;
  status: string;
  created_at: number;
  updated_at: number;
};

/** Every version of a contract; `project_id` is empty for the team's own, which all its projects share. */
export type ContractTable = OfTeam & {
  project_id: string;
  contract_type: string;
  version: number;
  content: string;
  created_at: number;
  created_by: string;
};

export type BuildTable = OfTeam & {
  id: string;
  project_id: string;
  /** Counts the builds of a project. */
  batch: number;
  status: string;
  pinned_at: number;
  closed_at: number | null;
  created_by: string;
};

/** What a build has pinned; never changed. */
export type BuildContractTable = OfTeam & { build_id: string; contract_type: string; version: number; content: string };

export type ArtifactTable = OfTeam & {
  project_id: string;
  artifact_type: string;
  key: string;
  /** JSON. */
  content: string;
  size: number;
  ttl_ms: number;
  created_at: number;
  expires_at: number;
};

export type GovernanceTables = {
  governance_project: ProjectTable;
  governance_contract: ContractTable;
  governance_build: BuildTable;
  governance_build_contract: BuildContractTable;
  governance_artifact: ArtifactTable;
  /** How much each project has stored, so that a limit costs no count. */
  governance_artifact_usage: OfTeam & { project_id: string; artifacts: number; bytes: number };
  governance_artifact_trash: ArtifactTable & { cleared_at: number };
  governance_session: {
    id: string;
    owner: string;
    project_id: string;
    build_id: string | null;
    user_id: string | null;
    expires_at: number;
  };
  /** Values of invariants by commit, for trends. */
  governance_measurement: { commit_id: string; name: string; value: number; at: number };
};

export const migrations: Migration[] = [
  {
    id: 18,
    name: "governance",
    async up(db, engine) {
      const table = (name: string) => db.schema.createTable(name);
      await columns(table("governance_project"), ["team", "id", "name", "status"], ["created_at", "updated_at"])
        .addPrimaryKeyConstraint("governance_project_key", ["team", "id"])
        .execute();
      await columns(
        table("governance_contract"),
        ["team", "project_id", "contract_type", "content", "created_by"],
        ["version", "created_at"],
      )
        .addPrimaryKeyConstraint("governance_contract_key", ["team", "project_id", "contract_type", "version"])
        .execute();
      await columns(
        table("governance_build"),
        ["team", "id", "project_id", "status", "created_by"],
        ["batch", "pinned_at"],
      )
        .addColumn("closed_at", "bigint")
        .addPrimaryKeyConstraint("governance_build_key", ["team", "id"])
        .addUniqueConstraint("governance_build_batch", ["team", "project_id", "batch"])
        .execute();
      await columns(table("governance_build_contract"), ["team", "build_id", "contract_type", "content"], ["version"])
        .addPrimaryKeyConstraint("governance_build_contract_key", ["team", "build_id", "contract_type"])
        .execute();
      const artifactTexts = ["team", "project_id", "artifact_type"];
      // Lists go by code point on both engines.
      const keyType = engine === "postgres" ? sql`text collate "C"` : "text";
      const artifactNumbers = ["size", "ttl_ms", "created_at", "expires_at"];
      // The content comes last: SQLite reads a long text to reach what is behind it.
      await columns(table("governance_artifact"), artifactTexts, artifactNumbers)
        .addColumn("key", keyType, requireValue)
        .addColumn("content", "text", requireValue)
        .addPrimaryKeyConstraint("governance_artifact_key", ["team", "project_id", "artifact_type", "key"])
        .execute();
      await db.schema
        .createIndex("governance_artifact_expiry")
        .on("governance_artifact")
        .columns(["team", "expires_at", "created_at"])
        .execute();
      await columns(table("governance_artifact_usage"), ["team", "project_id"], ["artifacts", "bytes"])
        .addPrimaryKeyConstraint("governance_artifact_usage_key", ["team", "project_id"])
        .execute();
      await columns(table("governance_artifact_trash"), artifactTexts, [...artifactNumbers, "cleared_at"])
        .addColumn("key", keyType, requireValue)
        .addColumn("content", "text", requireValue)
        .addPrimaryKeyConstraint("governance_artifact_trash_key", [
          "team",
          "project_id",
          "artifact_type",
          "key",
          "cleared_at",
        ])
        .execute();
      await columns(table("governance_session"), ["owner", "project_id"], ["expires_at"])
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("build_id", "text")
        .addColumn("user_id", "text")
        .execute();
      await columns(table("governance_measurement"), ["commit_id", "name"], ["at"])
        .addColumn("value", "double precision", requireValue)
        .addPrimaryKeyConstraint("governance_measurement_key", ["commit_id", "name"])
        .execute();
    },
  },
];

const requireValue = (column: ColumnDefinitionBuilder) => column.notNull();

/** A table with these texts and numbers, none of them null. */
function columns(
  table: CreateTableBuilder<string, never>,
  texts: readonly string[],
  numbers: readonly string[],
): CreateTableBuilder<string, string> {
  let built: CreateTableBuilder<string, string> = table;
  for (const name of texts) built = built.addColumn(name, "text", requireValue);
  for (const name of numbers) built = built.addColumn(name, "bigint", requireValue);
  return built;
}
