import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { ForgeError } from "../../src/kernel/errors.ts";
import { comparingOpener } from "../../src/platform/files/root/comparing-opener.ts";
import { SafeRoot } from "../../src/platform/files/root/safe-root.ts";
import { Trash } from "../../src/platform/files/trash/trash.ts";
import { eventually } from "../harness/cli/processes.ts";
import { faultFolder, testWith } from "../harness/faults/faults.ts";
import { outcomes, race } from "../harness/faults/racer.ts";

/** A longer race is run by giving the time: FORGE_TEST_RACE_MS=10000. */
const raceMs = Number(process.env["FORGE_TEST_RACE_MS"] ?? 2000);

/** `work` and `file` are swapped with links to a folder and a file outside, all the time. */
async function battlefield() {
  const folder = faultFolder();
  const [root, outside] = [join(folder, "root"), join(folder, "outside")];
  for (const path of [root, outside, join(root, "work")]) mkdirSync(path);
  writeFileSync(join(root, "work", "a"), "ours");
  writeFileSync(join(outside, "a"), "secret");
  writeFileSync(join(outside, "b"), "secret");
  symlinkSync(outside, join(root, "link"));
  await race(join(root, "work"), join(root, "link"));
  return { root, outside, state: join(folder, "state") };
}

async function refusedOr(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ForgeError && error.code !== "INTERNAL_ERROR") return "refused";
    throw error;
  }
}

/** Either both happen, or the race was never on. */
function expectBoth(counts: Record<string, number>, good: string): void {
  expect(Object.keys(counts).sort()).toEqual([good, "refused"].sort());
}

testWith(["python"], "D05 control: the racer beats who checks first and opens then", async () => {
  const { root } = await battlefield();
  const naive = () => {
    const path = join(root, "work", "a");
    try {
      return realpathSync(path).startsWith(`${root}/`) ? readFileSync(path, "utf8") : "refused";
    } catch {
      return "refused";
    }
  };
  await eventually("a leak", () => naive() === "secret");
});

describe("D05 a folder swapped with a link outwards", () => {
  testWith(["python"], "reading gives our file or nothing", async () => {
    const { root } = await battlefield();
    const safe = SafeRoot.at(root);
    const counts = await outcomes(raceMs, () => refusedOr(async () => (await safe.readText("work/a")).text));
    expectBoth(counts, "ours");
  });

  testWith(["python"], "reading gives our file or nothing where descriptors do not tell their place", async () => {
    const { root } = await battlefield();
    const safe = SafeRoot.at(root, { opening: comparingOpener });
    const counts = await outcomes(raceMs, () => refusedOr(async () => (await safe.readText("work/a")).text));
    expect(counts).not.toHaveProperty("secret");
    expect(counts).toHaveProperty("refused");
  });

  testWith(["python"], "listing gives our names or nothing", async () => {
    const { root } = await battlefield();
    const safe = SafeRoot.at(root);
    const names = async () => (await safe.list("work")).entries.map(({ name }) => name).join(" ");
    expectBoth(await outcomes(raceMs, () => refusedOr(names)), "a");
  });

  testWith(["python"], "writing changes nothing outside", async () => {
    const { root, outside } = await battlefield();
    const safe = SafeRoot.at(root);
    let count = 0;
    const write = () => safe.write(`work/${count++ % 20}/new`, "x").then(() => "written");
    const rewrite = () => safe.write("work/a", "ours again").then(() => "written");
    const counts = await outcomes(raceMs, () => refusedOr(count % 2 ? write : rewrite));
    expectBoth(counts, "written");
    expect(readdirSync(outside).sort()).toEqual(["a", "b"]);
    expect(readFileSync(join(outside, "a"), "utf8")).toBe("secret");
  });

  testWith(["python"], "deleting removes nothing outside", async () => {
    const { root, outside, state } = await battlefield();
    const safe = SafeRoot.at(root);
    const trash = new Trash(state, { entries: 3 });
    const remove = async () => {
      await safe.write("work/b", "ours");
      await safe.delete("work/b", trash);
      return "deleted";
    };
    expectBoth(await outcomes(raceMs, () => refusedOr(remove)), "deleted");
    expect(readdirSync(outside).sort()).toEqual(["a", "b"]);
  });
});

testWith(["python"], "D05 a file swapped with a link outwards is read as ours, or not", async () => {
  const folder = faultFolder();
  const root = join(folder, "root");
  mkdirSync(root);
  writeFileSync(join(root, "file"), "ours");
  writeFileSync(join(folder, "secret"), "secret");
  symlinkSync(join(folder, "secret"), join(root, "link"));
  await race(join(root, "file"), join(root, "link"));
  const safe = SafeRoot.at(root);
  const counts = await outcomes(raceMs, () => refusedOr(async () => (await safe.readText("file")).text));
  expectBoth(counts, "ours");
  // The first write that meets the link puts a file in its place; then the race is over, and won.
  const write = () => safe.write("file", "ours").then(() => "written");
  expect(await outcomes(raceMs / 2, () => refusedOr(write))).toHaveProperty("written");
  expect(readFileSync(join(folder, "secret"), "utf8")).toBe("secret");
});
