import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { ForgeError } from "../../src/kernel/errors.ts";
import { comparingOpener } from "../../src/platform/files/root/comparing-opener.ts";
import { systemOpener } from "../../src/platform/files/root/file-opener.ts";
import { SafeRoot } from "../../src/platform/files/root/safe-root.ts";
import { Trash } from "../../src/platform/files/trash/trash.ts";
import { faultFolder, testWith } from "../harness/faults/faults.ts";

describe.each([
  ["by descriptors", systemOpener],
  ["by comparing", comparingOpener],
])("D07 what is no regular file, %s", (_name, how) => {
  async function expectRefused(folder: string, name: string): Promise<void> {
    const root = SafeRoot.at(folder, { opening: how });
    const trash = new Trash(join(folder, "state"));
    const uses = [
      () => root.read(name),
      () => root.readText(name),
      () => root.sha256(name),
      () => root.list(name),
      () => root.write(name, "x"),
      () => root.write(name, "x", { sha256: "0".repeat(64) }),
      () => root.delete(name, trash),
    ];
    for (const use of uses) await expect(use()).rejects.toBeInstanceOf(ForgeError);
  }

  testWith(["posix"], "a FIFO is refused at once", async () => {
    const folder = faultFolder();
    execFileSync("mkfifo", [join(folder, "pipe")]);
    await expectRefused(folder, "pipe");
    expect(readdirSync(folder)).toEqual(["pipe"]);
  });

  testWith(["posix"], "a socket is refused", async () => {
    const folder = faultFolder();
    const server = createServer().listen(join(folder, "socket"));
    onTestFinished(() => void server.close());
    await once(server, "listening");
    await expectRefused(folder, "socket");
  });

  testWith(["linux", "root"], "a device is refused", async () => {
    const folder = faultFolder();
    execFileSync("mknod", [join(folder, "zero"), "c", "1", "5"]);
    await expectRefused(folder, "zero");
  });

  testWith(["linux"], "links into /proc and /dev are refused, also to what belongs to this process", async () => {
    const folder = faultFolder();
    const targets = {
      environment: "/proc/self/environ",
      root: "/proc/self/root",
      cwd: "/proc/self/cwd",
      descriptor: "/proc/self/fd/1",
      tty: "/dev/tty",
      stdin: "/dev/stdin",
      zero: "/dev/zero",
    };
    for (const [name, target] of Object.entries(targets)) symlinkSync(target, join(folder, name));
    for (const name of Object.keys(targets)) await expectRefused(folder, name);
    await expectRefused(folder, "root/etc/passwd");
  });

  testWith(
    ["posix"],
    "D02 D03 a sibling whose name begins alike, chains and circles of links are refused",
    async () => {
      const folder = faultFolder();
      const root = join(folder, "root");
      for (const name of ["root", "root-evil", "root/d"]) mkdirSync(join(folder, name));
      writeFileSync(join(folder, "root-evil", "f"), "theirs");
      symlinkSync("../root-evil", join(root, "evil"));
      symlinkSync("../evil/f", join(root, "d", "chain"));
      symlinkSync("b", join(root, "a"));
      symlinkSync("a", join(root, "b"));
      for (const name of ["evil/f", "d/chain", "a", "evil/new"]) await expectRefused(root, name);
      expect(readdirSync(join(folder, "root-evil"))).toEqual(["f"]);
    },
  );
});
