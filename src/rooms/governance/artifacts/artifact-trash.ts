import type { Transaction } from "kysely";
import type { GovernanceTables } from "../store/schema.ts";
import { isAmong, maxBatch, storedColumns, takeBatch } from "./artifact-batch.ts";

type Tx = Transaction<GovernanceTables>;
type Scope = Partial<Record<"team" | "project_id" | "artifact_type" | "key", string>>;

/** Some of what is in the trash. What was cleared last comes back: earlier ones with its key, also in later parts, meet it in their place. */
export async function restoreBatch(tx: Tx, scope: Scope): Promise<{ emptied: number; restored: { size: number }[] }> {
  const trash = tx.selectFrom("governance_artifact_trash").where((where) => where.and(scope));
  const found = await trash
    .select(["project_id", "artifact_type", "key", "cleared_at", "size"])
    .orderBy("artifact_type")
    .orderBy("key")
    .orderBy("cleared_at", "desc")
    .limit(maxBatch.artifacts)
    .execute();
  const batch = takeBatch(found);
  const restored: { size: number }[] = [];
  const times = [...new Set(batch.map((row) => row.cleared_at))].sort((a, b) => b - a);
  for (const cleared_at of times) {
    const among = isAmong(batch.filter((row) => row.cleared_at === cleared_at));
    const rows = await tx
      .insertInto("governance_artifact")
      .columns(storedColumns)
      .expression(trash.select(storedColumns).where("cleared_at", "=", cleared_at).where(among))
      .onConflict((conflict) => conflict.doNothing())
      .returning("size")
      .execute();
    restored.push(...rows);
    const gone = tx.deleteFrom("governance_artifact_trash").where((where) => where.and(scope));
    await gone.where("cleared_at", "=", cleared_at).where(among).execute();
  }
  return { emptied: batch.length, restored };
}

export async function isInTrash(tx: Tx, scope: Scope): Promise<boolean> {
  const trash = tx.selectFrom("governance_artifact_trash").where((where) => where.and(scope));
  return (await trash.select("key").executeTakeFirst()) !== undefined;
}
