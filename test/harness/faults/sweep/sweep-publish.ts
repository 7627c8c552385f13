import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadMigrations } from "../../../../src/app/migrations.ts";
import { openDatabase } from "../../../../src/platform/db/database.ts";
import { RegistryServer } from "../../../../src/rooms/registry/server/registry-server.ts";
import { makePackage } from "../../rooms/registry-archive.ts";
import type { Ending, SweepRow } from "./sweep-rows.ts";

const by = { team: "t", name: "Ada" };

async function withRegistry<T>(folder: string, work: (registry: RegistryServer) => Promise<T>): Promise<T> {
  const database = openDatabase({ file: join(folder, "root", ".forge", "forge.db") }, await loadMigrations());
  try {
    return await work(new RegistryServer(database));
  } finally {
    await database.close();
  }
}

const publish = (folder: string, version: string) =>
  withRegistry(
    folder,
    async (registry) => void (await registry.publish(by, { archive: makePackage("@acme/review", version) })),
  );

/** Whichever call failed: a version is there with its archive, its parts and its place in the search, or not at all. */
export const packagePublish: SweepRow = {
  name: "package-publish",
  async prepare(folder) {
    for (const name of ["root", "warm/root"]) mkdirSync(join(folder, name), { recursive: true });
    await publish(folder, "1.0.0");
  },
  warmUp: (folder) => publish(join(folder, "warm"), "1.0.0"),
  run: (folder) => publish(folder, "2.0.0"),
  faults: (folder, ending: Ending) =>
    withRegistry(folder, async (registry) => {
      const { latest } = await registry.metadata("plugin", "@acme/review");
      const isNew = latest === "2.0.0";
      const { latest: part } = await registry.metadata("agent", "@acme/critic");
      const faults: string[] = [];
      if (part !== latest) faults.push(`the plugin is ${latest}, and its agent ${part}`);
      if (ending.outcome === "done" && !isNew) faults.push("done was said, and the version is not there");
      const found = await registry.search({ query: "review", kind: "plugin", tags: [], page: 1, pageSize: 9 });
      if (found.total !== 1) faults.push(`a search finds ${found.total}`);
      await registry.download("@acme/review", String(latest));
      return faults;
    }),
  repeat: (folder) => publish(folder, "2.0.0"),
};
