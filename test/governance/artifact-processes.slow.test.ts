import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { LocalArtifacts } from "../../src/rooms/governance/artifacts/local-artifacts.ts";
import type { GovernanceTables } from "../../src/rooms/governance/store/schema.ts";
import { bundleProgram } from "../harness/cli/bundle-program.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { describeOnEngines } from "../harness/db/store.ts";
import { faultFolder, testWith } from "../harness/faults/faults.ts";
import { WrongClock } from "../harness/faults/wrong-clock.ts";

const writer = await bundleProgram(new URL("../harness/rooms/artifact-writer.ts", import.meta.url));
const run = promisify(execFile);
const args = (place: object, ...words: string[]) => [writer, JSON.stringify(place), ...words];

describeOnEngines("Artifacts of several processes", (engine) => {
  it("stored at once by eight of them are all there, and the usage is right", async () => {
    const place = await engine.fresh();
    const each = 20;
    const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
    const said = await Promise.all(names.map((name) => run(process.execPath, args(place, name, String(each)))));
    expect(said.map(({ stdout }) => stdout)).toEqual(names.map(() => `stored ${each}\n`));
    const database = openDatabase<unknown>(place, migrations);
    const store = new LocalArtifacts({ database, ledger: { commit: async () => undefined } });
    const page = await store.list({ project_id: "shop" }, { limit: 1_000 });
    const [usage] = await database
      .forTables<GovernanceTables>()
      .read((db) => db.selectFrom("governance_artifact_usage").select(["artifacts", "bytes"]).execute());
    await database.close();
    expect(page.artifacts).toHaveLength(names.length * each);
    const bytes = page.artifacts.reduce((sum, { size_chars }) => sum + size_chars, 0);
    expect(usage).toEqual({ artifacts: names.length * each, bytes });
  });
});

testWith(["mounts"], "J03 a full disk is named, and no earlier artifact is lost", () => {
  const unshared = 'exec unshare -m sh -c "$0" sh "$@"';
  const mounted = 'mount -t tmpfs -o size=2m tmpfs "$1" && shift && exec "$@"';
  const folder = faultFolder();
  const writing = args({ file: `${folder}/.forge/forge.db` }, "p", "5000", "8000", "read");
  const out = execFileSync("sh", ["-c", unshared, mounted, folder, process.execPath, ...writing], {
    encoding: "utf8",
  });
  const [, stored, found] = /^stored (\d+) STORE_ERROR The disk is full.*\nfound (\d+)\n$/.exec(out) ?? [];
  expect(Number(stored), out).toBeGreaterThan(10);
  expect(found).toBe(stored);
});

testWith(
  ["faketime"],
  "J09 J10 a machine whose clock is set forth and back brings no expired artifact back",
  async () => {
    const place = { file: `${faultFolder()}/.forge/forge.db` };
    const clock = new WrongClock(0);
    const start = async (...words: string[]) => {
      const env = { PATH: process.env["PATH"] ?? "", ...clock.environment };
      return (await run(process.execPath, args(place, ...words), { env })).stdout;
    };
    expect(await start("p", "3", "10", "read")).toBe("stored 3\nfound 3\n");
    // Ten years back: they are still there, and live for the hour that they were given.
    clock.set(-10 * 365 * 86_400);
    expect(await start("p", "0", "10", "read")).toBe("stored 0\nfound 3\n");
    clock.set(-10 * 365 * 86_400 + 4_000);
    expect(await start("p", "0", "10", "read")).toBe("stored 0\nfound 0\n");
    clock.set(-10 * 365 * 86_400);
    expect(await start("p", "0", "10", "read")).toBe("stored 0\nfound 0\n");
  },
);
