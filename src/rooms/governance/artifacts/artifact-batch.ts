import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ArtifactTable } from "../store/schema.ts";

type ArtifactKey = Pick<ArtifactTable, "project_id" | "artifact_type" | "key">;

/** So much is moved or deleted in one transaction: meanwhile SQLite does nothing else, for anyone. */
export const maxBatch = { artifacts: 500, characters: 8 * 1_048_576 };

/** The first of them that are not too much for one transaction. */
export function takeBatch<Row extends { size: number }>(rows: readonly Row[]): Row[] {
  let characters = 0;
  const end = rows.findIndex(({ size }, index) => {
    characters += size;
    return index > 0 && characters > maxBatch.characters;
  });
  return end < 0 ? [...rows] : rows.slice(0, end);
}

/** Whether a row is one of these artifacts. */
export function isAmong(refs: readonly ArtifactKey[]): RawBuilder<SqlBool> {
  const rows = refs.map(({ project_id, artifact_type, key }) => sql`(${project_id}, ${artifact_type}, ${key})`);
  return sql<SqlBool>`(project_id, artifact_type, key) in (values ${sql.join(rows)})`;
}

export const ageColumns = ["created_at", "expires_at", "size"] as const;
export const storedColumns = [
  ...(["team", "project_id", "artifact_type", "key", "content", "ttl_ms"] as const),
  ...ageColumns,
] as const;
