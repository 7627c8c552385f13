import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";

/** Something a test needs of the system it runs on, and how to get it. */
type Need = { has: boolean; howToGet: string };

const isLinux = process.platform === "linux";
const succeeds = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

export const needs = {
  posix: { has: process.platform !== "win32", howToGet: "needs a POSIX system" },
  linux: { has: isLinux, howToGet: "needs Linux" },
  root: { has: process.getuid?.() === 0, howToGet: "needs root" },
  python: { has: isLinux && succeeds("python3", "--version"), howToGet: "needs Linux and python3" },
  mounts: { has: isLinux && succeeds("unshare", "-m", "true"), howToGet: "needs root, and unshare of util-linux" },
  setpriv: {
    has: isLinux && succeeds("setpriv", "--reuid=65534", "--clear-groups", "true"),
    howToGet: "needs root, and setpriv of util-linux",
  },
  prlimit: { has: isLinux && succeeds("prlimit", "--version"), howToGet: "needs prlimit of util-linux" },
  strace: {
    has: isLinux && succeeds("strace", "-e", "inject=getcwd:error=EIO", "true"),
    howToGet: "needs strace, and the right to trace",
  },
} satisfies Record<string, Need>;

/** A test that is skipped, by name of what is missing, where the system cannot run it. */
export function testWith(
  needed: (keyof typeof needs)[],
  name: string,
  body: () => Promise<void> | void,
  timeout = 60_000,
): void {
  const missing = needed.map((need) => needs[need]).find(({ has }) => !has);
  if (!missing) test(name, { timeout }, body);
  else if (process.env["FORGE_TEST_NO_SKIPS"] === "1")
    test(name, () => Promise.reject(new Error(`skips are forbidden here: ${missing.howToGet}`)));
  else test.skip(`${name} (${missing.howToGet})`, () => undefined);
}

/** A real path, open to other users, that is gone when the test is over. */
export function faultFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-faults-")));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A program that runs beside the test until it is over. */
export function beside(program: string, args: string[]): ChildProcess {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  });
  return child;
}
