import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import type { GuardTables } from "../src/commons/guard/schema.ts";
import { Seal } from "../src/commons/guard/seal.ts";
import type { Database } from "../src/platform/db/database.ts";
import { realPlace } from "../src/platform/files/real-place.ts";
import { userName } from "../src/platform/host/user-name.ts";

/** Marks a store that the benchmark made as the user's, whose home is beside the project. */
export async function sealStore(database: Database<unknown>, folder: string): Promise<void> {
  const subject = realPlace(join(folder, ".forge"));
  const id = randomBytes(16).toString("hex");
  const seal = await new Seal(join(dirname(folder), "home", ".forge", "approvals.key")).toMark();
  const row = {
    kind: "store",
    subject,
    sha256: id,
    by: userName(),
    at: Date.now(),
    seal: seal.mark(["store", subject, id]),
  };
  await database.forTables<GuardTables>().transaction((tx) => tx.insertInto("guard_mark").values(row).execute());
}
