import { execFile } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildSync } from "esbuild";
import { describe, expect } from "vitest";
import { faultFolder, testWith } from "../harness/faults/faults.ts";

/** Runs a scenario of the target, started by another program that makes its surroundings; returns what it said. */
async function inSurroundings(starter: string[], scenario: string, folder: string): Promise<Record<string, unknown>> {
  const target = join(faultFolder(), "target.cjs");
  buildSync({
    entryPoints: ["test/harness/faults/faults-target.ts"],
    outfile: target,
    bundle: true,
    platform: "node",
    format: "cjs",
  });
  const [program = "", ...args] = [...starter, process.execPath, target, scenario, folder];
  const { stdout } = await promisify(execFile)(program, args, { env: { PATH: process.env["PATH"] ?? "" } });
  return JSON.parse(stdout);
}

/** A shell script with mounts of its own; what it says last, it says by starting the target. */
const withMounts = (script: string, folder: string) => ["unshare", "-m", "sh", "-ec", `${script}\nexec "$@"`, folder];

const project = () => {
  const folder = faultFolder();
  writeFileSync(join(folder, "f"), "old");
  return folder;
};

describe("full and read-only disks", () => {
  testWith(["mounts"], "J03 on a full disk the old content stays and nothing is left behind", async () => {
    const starter = withMounts('mount -t tmpfs -o size=24k none "$0"; printf old > "$0/f"', faultFolder());
    expect(await inSurroundings(starter, "write", starter.at(-1) ?? "")).toEqual({
      endings: ["STORE_ERROR ENOSPC", "STORE_ERROR ENOSPC"],
      names: ["f"],
      content: "old",
    });
  });

  testWith(["mounts"], "J03 the same holds for forge_write_file, and no execution hears of a change", async () => {
    const starter = withMounts('mount -t tmpfs -o size=24k none "$0"; printf old > "$0/f"', faultFolder());
    expect(await inSurroundings(starter, "write-file", starter.at(-1) ?? "")).toEqual({
      endings: ["STORE_ERROR ENOSPC", "STORE_ERROR ENOSPC"],
      names: ["f"],
      content: "old",
      noted: [],
    });
  });

  testWith(["mounts"], "J04 on a read-only file system nothing changes, and the error says so", async () => {
    const starter = withMounts('mount --bind "$0" "$0"; mount -o remount,ro,bind "$0"', project());
    expect(await inSurroundings(starter, "write", starter.at(-1) ?? "")).toEqual({
      endings: ["PERMISSION_DENIED EROFS", "PERMISSION_DENIED EROFS"],
      names: ["f"],
      content: "old",
    });
  });

  testWith(
    ["mounts"],
    "I10 on a full disk, and without a cache, the plugin that was installed still works",
    async () => {
      const script =
        'mkdir "$0/project" "$0/home" "$0/cache"; mount -t tmpfs -o size=200k none "$0/project"; mount -t tmpfs -o ro none "$0/cache"';
      const starter = withMounts(script, faultFolder());
      expect(await inSurroundings(starter, "install", starter.at(-1) ?? "")).toEqual({
        endings: ["done", "STORE_ERROR ENOSPC"],
        versions: ["1.0.0"],
        prompt: "x".repeat(10),
        names: ["forge", "review"],
      });
    },
  );

  testWith(["mounts"], "H13 a file goes to a trash on another disk and comes back", async () => {
    const script = 'for d in project state; do mkdir "$0/$d"; mount -t tmpfs none "$0/$d"; done';
    const starter = withMounts(script, faultFolder());
    expect(await inSurroundings(starter, "trash", starter.at(-1) ?? "")).toEqual({
      deleted: { project: [], entries: 1 },
      restored: { project: ["f"], entries: 0 },
      content: "content",
    });
  });
});

describe("without the right to", () => {
  const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

  testWith(["setpriv"], "J04 a folder that may not be changed is left as it is", async () => {
    const folder = project();
    expect(await inSurroundings(asNobody, "write", folder)).toEqual({
      endings: ["PERMISSION_DENIED EACCES", "PERMISSION_DENIED EACCES"],
      names: ["f"],
      content: "old",
    });
  });

  testWith(
    ["setpriv"],
    "a file that was made read-only is not replaced, though its folder would allow it",
    async () => {
      const folder = project();
      chownSync(folder, 65534, 65534);
      chownSync(join(folder, "f"), 65534, 65534);
      chmodSync(join(folder, "f"), 0o444);
      expect(await inSurroundings(asNobody, "write", folder)).toMatchObject({
        endings: ["PERMISSION_DENIED EACCES", "done"],
        names: ["f", "g"],
        content: "old",
      });
    },
  );

  testWith(["setpriv"], "D10 a file that may not be read is said to be so", async () => {
    const folder = project();
    chmodSync(join(folder, "f"), 0o600);
    expect(await inSurroundings(asNobody, "read", folder)).toEqual({ endings: ["PERMISSION_DENIED EACCES"] });
  });
});

describe("at the system's limits", () => {
  testWith(["prlimit"], "J02 a write that is cut short keeps the old content and leaves nothing behind", async () => {
    const folder = project();
    expect(await inSurroundings(["prlimit", "--fsize=50000"], "write", folder)).toEqual({
      endings: ["STORE_ERROR EFBIG", "STORE_ERROR EFBIG"],
      names: ["f"],
      content: "old",
    });
  });

  testWith(["prlimit"], "D10 without a free descriptor every use says so, and all is well afterwards", async () => {
    const folder = project();
    expect(await inSurroundings(["prlimit", "--nofile=128"], "descriptors", folder)).toEqual({
      endings: Array(3).fill("STORE_ERROR EMFILE"),
      afterwards: Array(3).fill("done"),
      names: ["f"],
    });
  });
});

testWith(["root"], "a file of another user stays theirs when root changes it", async () => {
  const folder = faultFolder();
  mkdirSync(join(folder, "d"));
  writeFileSync(join(folder, "f"), "old");
  chownSync(join(folder, "f"), 65534, 65534);
  const { content } = await inSurroundings(["env"], "write", folder);
  expect(content).toBe("new\n".repeat(25_000));
  expect(readdirSync(folder).sort()).toEqual(["d", "f", "g"]);
  expect([statSync(join(folder, "f")).uid, statSync(join(folder, "f")).gid]).toEqual([65534, 65534]);
  expect(readFileSync(join(folder, "g"), "utf8")).toHaveLength(100_000);
});
