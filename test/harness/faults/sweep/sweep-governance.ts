import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadMigrations } from "../../../../src/app/migrations.ts";
import { Ledger } from "../../../../src/commons/ledger/index.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../../../src/platform/db/database.ts";
import { PolicyEditor } from "../../../../src/rooms/governance/check/policy-editor.ts";
import { LocalBuilds } from "../../../../src/rooms/governance/projects/local-builds.ts";
import { LocalProjects } from "../../../../src/rooms/governance/projects/local-projects.ts";
import { by } from "../../commons/caller.ts";
import { integrityFaults } from "../integrity-faults.ts";
import type { SweepRow } from "./sweep-rows.ts";

type Parts = { projects: LocalProjects; builds: LocalBuilds };

async function withProjects<T>(folder: string, work: (parts: Parts) => Promise<T>): Promise<T> {
  const database = openDatabase<unknown>({ file: join(folder, "root", ".forge", "forge.db") }, await loadMigrations());
  const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
  try {
    return await work({
      projects: new LocalProjects({ database, ledger }),
      builds: new LocalBuilds({ database, ledger }),
    });
  } finally {
    await ledger.stop();
    await database.close();
  }
}

const startBuild = (folder: string) =>
  withProjects(folder, async ({ builds }) => void (await builds.start(by(), "shop")));

/** A build is there with everything it pins, or not at all; the one before it keeps what it has. */
export const buildStart: SweepRow = {
  name: "build-start",
  async prepare(folder) {
    for (const name of ["root", "warm/root"]) mkdirSync(join(folder, name), { recursive: true });
    await withProjects(folder, async ({ projects, builds }) => {
      await projects.create(by(), { name: "Shop", id: "shop" });
      for (const type of ["stack", "ui"] as const) await projects.putContract(by(), "shop", type, "old");
      await builds.start(by(), "shop");
      for (const type of ["stack", "ui"] as const) await projects.putContract(by(), "shop", type, "new ".repeat(9_000));
    });
  },
  warmUp: (folder) => withProjects(join(folder, "warm"), async ({ projects }) => void (await projects.list())),
  run: startBuild,
  async faults(folder, ending) {
    const faults: string[] = [];
    const found = await withProjects(folder, async ({ builds }) => {
      const listed = await builds.list("shop");
      return Promise.all(listed.map(async ({ build_id }) => (await builds.contracts(build_id)).contracts));
    });
    const isNew = found.length === 2;
    if (found.some((contracts) => contracts.length !== 2)) faults.push("a build has pinned only some contracts");
    if (found.at(-1)?.some(({ content }) => content !== "old")) faults.push("an earlier build has changed");
    if (found.length > 2) faults.push(`${found.length} builds`);
    if (ending.outcome === "done" && !isNew) faults.push("done was said, and there is no build");
    if (ending.outcome === "refused" && isNew && !ending.made) faults.push("refused was said, and the build is there");
    return [...faults, ...integrityFaults(join(folder, "root", ".forge", "forge.db"))];
  },
  repeat: async (folder) => {
    const count = await withProjects(folder, async ({ builds }) => (await builds.list("shop")).length);
    if (count < 2) await startBuild(folder);
  },
};

const policyOf = (folder: string) => join(folder, "root", "Forge", "invariants.json");
const oldPolicy = `${JSON.stringify({ recorded: { total_files: { value: 1 } } }, undefined, 2)}\n`;
const record = (folder: string) => new PolicyEditor(join(folder, "root")).setRecorded({ total_files: { value: 2 } });

/** The limits of a project are the old ones or the new ones, never half of them. */
export const invariantsRecord: SweepRow = {
  name: "invariants-record",
  prepare(folder) {
    for (const name of ["root/Forge", "warm/root/Forge"]) mkdirSync(join(folder, name), { recursive: true });
    for (const name of ["", "warm"]) writeFileSync(policyOf(join(folder, name)), oldPolicy);
  },
  warmUp: (folder) => record(join(folder, "warm")),
  run: record,
  faults(folder, ending) {
    const text = existsSync(policyOf(folder)) ? readFileSync(policyOf(folder), "utf8") : "";
    const isNew = text === oldPolicy.replace("1", "2");
    if (!isNew && text !== oldPolicy) return [`the limits are neither old nor new (${text.length} characters)`];
    if (ending.outcome === "done" && !isNew) return ["done was said, and the limits are old"];
    if (ending.outcome === "refused" && isNew !== ending.made) return ["what was said of a failure is not so"];
    return [];
  },
  repeat: record,
};
