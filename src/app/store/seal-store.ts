import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { GuardTables } from "../../commons/guard/schema.ts";
import type { Seal } from "../../commons/guard/seal.ts";
import { userName } from "../../platform/host/user-name.ts";
import { identifyFile, isSameEntry } from "../../platform/state/entry-identity.ts";

/** A store that is to be marked, or was: its folder's real path, and its file. */
type StorePlace = { place: string; file: string };

/** Marks the store at a place as this user's, in this very file: who gets hold of the mark cannot put it into another. */
export async function sealStore(db: Kysely<unknown>, seal: Seal, { place, file }: StorePlace): Promise<void> {
  const id = `${randomBytes(16).toString("hex")} ${describeFile(file)}`;
  const mark = (await seal.toMark()).mark(["store", place, id]);
  const row = { sha256: id, by: userName(), at: Date.now(), seal: mark };
  await (db as Kysely<GuardTables>)
    .insertInto("guard_mark")
    .values({ kind: "store", subject: place, ...row })
    .onConflict((conflict) => conflict.columns(["kind", "subject"]).doUpdateSet(row))
    .execute();
}

/** Whether a mark that this user made is of this file, and not of one that it was copied to. */
export function isMarkOf(id: string, file: string): boolean {
  const [, number, createdAt] = id.split(" ");
  const now = identifyFile(file);
  return number !== undefined && now !== undefined && isSameEntry({ number, createdAt }, now);
}

function describeFile(file: string): string {
  const { number = "", createdAt } = identifyFile(file) ?? {};
  return createdAt === undefined ? number : `${number} ${createdAt}`;
}
