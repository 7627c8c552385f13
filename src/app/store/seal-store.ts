import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { GuardTables } from "../../commons/guard/schema.ts";
import type { Seal } from "../../commons/guard/seal.ts";
import { userName } from "../../platform/host/user-name.ts";

/** Marks the store at a place as this user's. */
export async function sealStore(db: Kysely<unknown>, seal: Seal, place: string): Promise<void> {
  const id = randomBytes(16).toString("hex");
  const mark = (await seal.toMark()).mark(["store", place, id]);
  const row = { sha256: id, by: userName(), at: Date.now(), seal: mark };
  await (db as Kysely<GuardTables>)
    .insertInto("guard_mark")
    .values({ kind: "store", subject: place, ...row })
    .onConflict((conflict) => conflict.columns(["kind", "subject"]).doUpdateSet(row))
    .execute();
}
