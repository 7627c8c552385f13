import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { testWith } from "../../../test/harness/faults/faults.ts";
import { diskStore } from "../../../test/harness/fs/blob-stores.ts";
import { DiskBlobs } from "./disk-blobs.ts";

const hello = Buffer.from("hello");
const unshared = 'exec unshare -m sh -c "$0" sh "$@"';

function outsideFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "forge-outside-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const fileOf = (stateDir: string, sha256: string) => join(stateDir, "blobs", sha256.slice(0, 2), sha256.slice(2));

describe("blobs on disk", () => {
  test("only the owner may look", async () => {
    const { blobs, stateDir } = diskStore();
    const { sha256 } = await blobs.put(hello);
    const mode = (path: string) => statSync(path).mode & 0o777;
    const file = fileOf(stateDir, sha256);
    expect([mode(file), mode(join(file, "..")), mode(join(stateDir, "blobs")), mode(stateDir)]).toEqual([
      0o600, 0o700, 0o700, 0o700,
    ]);
    expect(readdirSync(join(file, ".."))).toEqual([sha256.slice(2)]);
  });

  test("links in the store are not followed, neither for writing nor for reading", async () => {
    const { sha256 } = await diskStore().blobs.put(hello);
    const shard = sha256.slice(0, 2);
    const attacks: ((stateDir: string, outside: string) => void)[] = [
      (stateDir, outside) => symlinkSync(outside, join(stateDir, "blobs")),
      (stateDir, outside) => {
        mkdirSync(join(stateDir, "blobs"));
        symlinkSync(outside, join(stateDir, "blobs", shard));
      },
      (stateDir, outside) => {
        mkdirSync(join(stateDir, "blobs", shard), { recursive: true });
        symlinkSync(join(outside, "file"), fileOf(stateDir, sha256));
      },
    ];
    for (const attack of attacks) {
      const { stateDir } = diskStore();
      const outside = outsideFolder();
      mkdirSync(stateDir);
      mkdirSync(join(outside, shard));
      for (const file of ["file", sha256.slice(2), join(shard, sha256.slice(2))])
        writeFileSync(join(outside, file), hello);
      attack(stateDir, outside);
      const blobs = new DiskBlobs(stateDir);
      const refused = { code: expect.stringMatching(/PERMISSION_DENIED|VALIDATION_ERROR/) };
      await expect(blobs.get(sha256)).rejects.toMatchObject(refused);
      await expect(blobs.put(hello)).rejects.toMatchObject(refused);
      expect(readdirSync(outside, { recursive: true }).length).toBe(4);
    }
  });

  test("what stands in a blob's place and is no file does not hold us up", async () => {
    const { blobs, stateDir } = diskStore();
    const { sha256 } = await blobs.put(hello);
    const file = fileOf(stateDir, sha256);
    rmSync(file);
    mkdirSync(file);
    await expect(blobs.get(sha256)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    rmSync(file, { recursive: true });
    if (spawnSync("mkfifo", [file]).status === 0) {
      await expect(blobs.get(sha256)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
      await expect(blobs.put(hello)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    }
  });

  test("a file that has grown beyond all measure is damaged, and not read", async () => {
    const { blobs, stateDir } = diskStore();
    const { sha256 } = await blobs.put(hello);
    truncateSync(fileOf(stateDir, sha256), 1024 ** 4);
    await expect(blobs.get(sha256)).rejects.toMatchObject({ code: "INTEGRITY_ERROR" });
  });

  test("what a dead writer left behind is removed in time; nothing else is", async () => {
    const { blobs, stateDir } = diskStore();
    const { sha256 } = await diskStore().blobs.put(hello);
    const shard = join(stateDir, "blobs", sha256.slice(0, 2));
    mkdirSync(shard, { recursive: true });
    const [old, fresh, other] = [
      `.forge-draft-${"0".repeat(24)}.tmp`,
      `.forge-draft-${"1".repeat(24)}.tmp`,
      "note.txt",
    ];
    for (const name of [old, fresh, other]) writeFileSync(join(shard, name), "half");
    for (const name of [old, other]) utimesSync(join(shard, name), new Date(0), new Date(0));
    await blobs.put(hello);
    expect(readdirSync(shard).sort()).toEqual([fresh, sha256.slice(2), other].sort());
  });

  testWith(["mounts"], "J03 a full disk is named, and costs nothing that was there", () => {
    const writer = fileURLToPath(new URL("../../../test/harness/fs/blob-writer.ts", import.meta.url));
    const project = outsideFolder();
    const script = `mount -t tmpfs -o size=600k tmpfs "$1" && "$2" --import "$3" "$4" "{\\"stateDir\\":\\"$1/.forge\\"}" x 50000; cd "$1/.forge/blobs" && for f in */*; do echo "found $(sha256sum < "$f" | cut -c1-64) $f"; done; find . -name '.*.tmp'`;
    const out = execFileSync(
      "sh",
      ["-c", unshared, script, project, process.execPath, import.meta.resolve("tsx"), writer],
      {
        encoding: "utf8",
      },
    );
    const lines = out.trim().split("\n");
    const stored = lines.filter((line) => /^[0-9a-f]{64}$/.test(line));
    const found = lines.filter((line) => line.startsWith("found "));
    expect(stored.length).toBeGreaterThan(5);
    expect(lines.filter((line) => line.startsWith("STORE_ERROR"))).toEqual([expect.stringMatching(/the disk is full/)]);
    expect(found.sort()).toEqual(stored.map((name) => `found ${name} ${name.slice(0, 2)}/${name.slice(2)}`).sort());
    expect(lines.length).toBe(stored.length + found.length + 1);
    expect(existsSync(join(project, ".forge"))).toBe(false);
  });
});
