import { writeSync } from "node:fs";
import { loadMigrations } from "../../../src/app/migrations.ts";
import { ForgeError } from "../../../src/kernel/errors.ts";
import { openDatabase } from "../../../src/platform/db/database.ts";
import type { Place } from "../../../src/platform/db/types.ts";
import { LocalArtifacts } from "../../../src/rooms/governance/artifacts/local-artifacts.ts";
import { by } from "../commons/caller.ts";

/**
 * Stores artifacts named after the process: `count` of them, or until it fails. Prints what was stored, and an error. With
 * `read`, prints the artifacts there are.
 */
const [place = "", name = "", count = "0", size = "10", mode] = process.argv.slice(2);
const database = openDatabase<unknown>(JSON.parse(place) as Place, await loadMigrations());
const artifacts = new LocalArtifacts({ database, ledger: { commit: async () => undefined } });
const print = (line: string) => writeSync(1, `${line}\n`);
let stored = 0;
try {
  for (; stored < Number(count); stored++) {
    const content = `${stored} `.repeat(Number(size) / 2);
    await artifacts.store(by(), {
      project_id: "shop",
      artifact_type: "phase",
      key: `${name}-${stored}`,
      content,
      ttl_hours: 1,
    });
  }
  print(`stored ${stored}`);
} catch (error) {
  print(`stored ${stored} ${error instanceof ForgeError ? `${error.code} ${error.message}` : `stranger ${error}`}`);
}
if (mode === "read") {
  let found = 0;
  for (; (await artifacts.get({ project_id: "shop", artifact_type: "phase", key: `${name}-${found}` })) !== undefined; )
    found++;
  print(`found ${found}`);
}
await database.close().catch(() => undefined);
