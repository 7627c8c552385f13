import { dirname, join } from "node:path";
import { sealStore } from "../src/app/store/seal-store.ts";
import { Seal } from "../src/commons/guard/seal.ts";
import type { Database } from "../src/platform/db/database.ts";
import { realPlace } from "../src/platform/files/real-place.ts";

/** Marks a store that the benchmark made as the user's, whose home is beside the project. */
export async function sealMadeStore(database: Database<unknown>, folder: string): Promise<void> {
  const seal = new Seal(join(dirname(folder), "home", ".forge", "approvals.key"));
  const stateDir = join(folder, ".forge");
  await database.transaction((tx) =>
    sealStore(tx, seal, { place: realPlace(stateDir), file: join(stateDir, "forge.db") }),
  );
}
