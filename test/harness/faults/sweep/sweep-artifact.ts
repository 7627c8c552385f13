import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadMigrations } from "../../../../src/app/migrations.ts";
import { Ledger } from "../../../../src/commons/ledger/index.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../../../src/platform/db/database.ts";
import { LocalArtifacts } from "../../../../src/rooms/governance/artifacts/local-artifacts.ts";
import type { ArtifactRef } from "../../../../src/rooms/governance/model/artifact.ts";
import type { GovernanceTables } from "../../../../src/rooms/governance/store/schema.ts";
import { by } from "../../commons/caller.ts";
import { integrityFaults } from "../integrity-faults.ts";
import type { Ending, SweepRow } from "./sweep-rows.ts";

const [oldContent, newContent, keptContent] = ["old ".repeat(1_000), "new ".repeat(20_000), "kept ".repeat(1_000)];
const changed: ArtifactRef = { project_id: "shop", artifact_type: "phase", key: "changed" };
const kept: ArtifactRef = { ...changed, artifact_type: "seal", key: "kept" };

type Stored = { changed: unknown; kept: unknown; usage: string };

async function withArtifacts<T>(
  folder: string,
  work: (artifacts: LocalArtifacts, stored: () => Promise<Stored>) => Promise<T>,
): Promise<T> {
  const database = openDatabase<unknown>({ file: join(folder, "root", ".forge", "forge.db") }, await loadMigrations());
  const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
  const artifacts = new LocalArtifacts({ database, ledger });
  const stored = async () => {
    const usage = await database
      .forTables<GovernanceTables>()
      .read((db) => db.selectFrom("governance_artifact_usage").select(["artifacts", "bytes"]).execute());
    const contentOf = async (ref: ArtifactRef) => (await artifacts.get(ref))?.content;
    return { changed: await contentOf(changed), kept: await contentOf(kept), usage: JSON.stringify(usage) };
  };
  try {
    return await work(artifacts, stored);
  } finally {
    await ledger.stop();
    await database.close();
  }
}

async function prepare(folder: string): Promise<void> {
  for (const name of ["root", "warm/root"]) mkdirSync(join(folder, name), { recursive: true });
  await withArtifacts(folder, async (artifacts) => {
    await artifacts.store(by(), { ...changed, content: oldContent, ttl_hours: 1 });
    await artifacts.store(by(), { ...kept, content: keptContent, ttl_hours: 1 });
  });
}

const warmUp = (folder: string) =>
  withArtifacts(join(folder, "warm"), async (artifacts) => void (await artifacts.get(changed)));

/** Old or new, as was said; the artifact beside it is untouched, and the usage is that of what is stored. */
async function faultsAfter(folder: string, ending: Ending, after: unknown): Promise<string[]> {
  const stored = await withArtifacts(folder, (_artifacts, read) => read());
  const isNew = stored.changed === after;
  const faults: string[] = [];
  if (!isNew && stored.changed !== oldContent) faults.push("the artifact is neither old nor new");
  if (ending.outcome === "done" && !isNew) faults.push("done was said, and the artifact is old");
  if (ending.outcome === "refused" && isNew && !ending.made) faults.push("refused was said, and the artifact is new");
  if (stored.kept !== keptContent) faults.push("an earlier artifact is lost");
  const sizes = [stored.changed, stored.kept].filter((content) => content !== undefined);
  const bytes = sizes.reduce<number>((sum, content) => sum + JSON.stringify(content).length, 0);
  const usage = JSON.stringify([{ artifacts: sizes.length, bytes }]);
  if (stored.usage !== usage) faults.push(`the usage is ${stored.usage}, not ${usage}`);
  return [...faults, ...integrityFaults(join(folder, "root", ".forge", "forge.db"))];
}

const store = (folder: string) =>
  withArtifacts(
    folder,
    async (artifacts) => void (await artifacts.store(by(), { ...changed, content: newContent, ttl_hours: 1 })),
  );

export const artifactStore: SweepRow = {
  name: "artifact-store",
  prepare,
  warmUp,
  run: store,
  faults: (folder, ending) => faultsAfter(folder, ending, newContent),
  repeat: store,
};

const clear = (folder: string) =>
  withArtifacts(
    folder,
    async (artifacts) => void (await artifacts.clear(by(), { project_id: "shop", artifact_type: "phase" })),
  );

export const artifactClear: SweepRow = {
  name: "artifact-clear",
  prepare,
  warmUp,
  run: clear,
  async faults(folder, ending) {
    const faults = await faultsAfter(folder, ending, undefined);
    const isCleared = (await withArtifacts(folder, (_artifacts, read) => read())).changed === undefined;
    if (!isCleared) return faults;
    // What was cleared is in the trash: it can be restored, and is cleared again for the next look.
    await withArtifacts(folder, (artifacts) => artifacts.restore(by(), { project_id: "shop" }));
    const restored = await withArtifacts(folder, (_artifacts, read) => read());
    await clear(folder);
    return restored.changed === oldContent ? faults : [...faults, "what was cleared cannot be restored"];
  },
  repeat: clear,
};
