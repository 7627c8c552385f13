import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { faultFolder } from "../../../../test/harness/faults/faults.ts";
import { SafeRoot } from "../root/safe-root.ts";
import { Trash, type TrashLimits } from "./trash.ts";

function project(limits: Partial<TrashLimits> = {}) {
  const folder = faultFolder();
  mkdirSync(join(folder, "root"));
  const root = SafeRoot.at(join(folder, "root"));
  return { folder, root, trash: new Trash(join(folder, ".forge"), limits) };
}

test("H13 a deleted file can be restored with its content and permissions", async () => {
  const { folder, root, trash } = project();
  await root.write("a/script.sh", "#!/bin/sh\n");
  chmodSync(join(folder, "root/a/script.sh"), 0o750);
  const entry = await root.delete("a/script.sh", trash);
  expect(existsSync(join(folder, "root/a/script.sh"))).toBe(false);
  expect(await trash.list()).toEqual([entry]);
  expect(entry).toMatchObject({ path: "a/script.sh", bytes: 10 });
  expect(statSync(join(folder, ".forge")).mode & 0o777).toBe(0o700);

  await root.restore(entry.id, trash);
  expect(readFileSync(join(folder, "root/a/script.sh"), "utf8")).toBe("#!/bin/sh\n");
  expect(statSync(join(folder, "root/a/script.sh")).mode & 0o777).toBe(0o750);
  expect(await trash.list()).toEqual([]);
  expect(readdirSync(join(folder, ".forge/trash"))).toEqual([]);
});

test("H13 restoring does not replace what has taken the place, and makes the folder where it is gone", async () => {
  const { folder, root, trash } = project();
  await root.write("a/f", "one");
  const { id } = await root.delete("a/f", trash);
  await root.write("a/f", "two");
  await expect(root.restore(id, trash)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
  expect((await root.readText("a/f")).text).toBe("two");
  const second = await root.delete("a/f", trash);
  rmdirSync(join(folder, "root/a"));
  await root.restore(second.id, trash);
  await expect(root.restore(second.id, trash)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await root.readText("a/f")).text).toBe("two");
  expect((await trash.list()).map((entry) => entry.id)).toEqual([id]);
});

test("H13 the oldest go when there are too many or they are too large; the newest stays", async () => {
  const { root, trash } = project({ entries: 3, bytes: 100 });
  for (let n = 1; n <= 5; n++) {
    await root.write("f", String(n));
    await root.delete("f", trash);
  }
  expect(await trash.list()).toHaveLength(3);
  await root.write("big", "x".repeat(1000));
  const { id } = await root.delete("big", trash);
  expect((await trash.list()).map((entry) => entry.id)).toEqual([id]);
});

test("H13 what is too old goes with the next deletion", async () => {
  const { folder, root, trash } = project();
  await root.write("f", "x");
  const { id } = await root.delete("f", trash);
  const old = `20200101T000000000Z-${id.slice(-12)}`;
  renameSync(join(folder, ".forge/trash", id), join(folder, ".forge/trash", old));
  expect((await trash.list()).map((entry) => entry.id)).toEqual([old]);
  await root.write("g", "x");
  const newer = await root.delete("g", trash);
  expect((await trash.list()).map((entry) => entry.id)).toEqual([newer.id]);
});

test("what a repository planted as trash is not restored to protected or outer places", async () => {
  const { folder, root, trash } = project();
  const plant = (number: number, path: string) => {
    const id = `20990101T00000000${number}Z-aaaaaaaaaaaa`;
    const entry = join(folder, ".forge/trash", id);
    mkdirSync(entry, { recursive: true });
    writeFileSync(join(entry, "manifest.json"), JSON.stringify({ version: 1, path, deletedAt: 0, bytes: 1 }));
    writeFileSync(join(entry, "content"), "x");
    return id;
  };
  await expect(root.restore(plant(1, "../outside"), trash)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await expect(root.restore(plant(2, ".git/hooks/x"), trash)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  for (const id of ["../../root", "x", "", "20990101T000000009Z-aaaaaaaaaaaa"]) {
    await expect(root.restore(id, trash), id).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect(readdirSync(join(folder, "root"))).toEqual([]);
});

test("a trash that is a link is not used, and the file stays", async () => {
  const { folder, root, trash } = project();
  mkdirSync(join(folder, "elsewhere"));
  symlinkSync("elsewhere", join(folder, ".forge"));
  await root.write("f", "x");
  await expect(root.delete("f", trash)).rejects.toMatchObject({ code: "STORE_ERROR" });
  expect((await root.readText("f")).text).toBe("x");
  expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
});

test("only files go to the trash", async () => {
  const { root, trash } = project();
  await root.write("d/f", "x");
  await expect(root.delete("d", trash)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await expect(root.delete("g", trash)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await trash.list()).toEqual([]);
});
