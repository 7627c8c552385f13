import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, onTestFinished, test } from "vitest";
import { findPostgres, howToGetPostgres } from "../db/postgres.ts";
import { findFaketime } from "./wrong-clock.ts";

const isLinux = process.platform === "linux";

const succeeds = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
const exists = (program: string) => succeeds("sh", "-c", 'command -v "$0"', program);
const mountHere = 'mount -t tmpfs tmpfs "$0"';

/** What a test may need from the system: whether it is available, and how to install it. */
const needs = {
  posix: [() => process.platform !== "win32", "needs a POSIX system"],
  linux: [() => isLinux, "needs Linux"],
  root: [() => process.getuid?.() === 0, "needs root"],
  rootOnLinux: [() => isLinux && process.getuid?.() === 0, "needs Linux, and root"],
  python: [() => isLinux && succeeds("python3", "--version"), "needs Linux and python3"],
  mounts: [
    () => isLinux && succeeds("unshare", "-m", "sh", "-c", mountHere, tmpdir()),
    "needs root, and unshare and mount of util-linux",
  ],
  setpriv: [
    () => isLinux && succeeds("setpriv", "--reuid=65534", "--clear-groups", "true"),
    "needs root, and setpriv of util-linux",
  ],
  prlimit: [() => isLinux && succeeds("prlimit", "--version"), "needs prlimit of util-linux"],
  strace: [
    () => isLinux && succeeds("strace", "-e", "inject=getcwd:error=EIO", "true"),
    "needs strace, and the right to trace",
  ],
  openssl: [() => succeeds("openssl", "version"), "needs openssl"],
  bash: [() => exists("bash"), "needs bash"],
  zsh: [() => exists("zsh"), "needs zsh: install Debian's zsh"],
  fish: [() => exists("fish"), "needs fish: install Debian's fish"],
  chromium: [() => exists("chromium"), "needs chromium: install Debian's chromium"],
  script: [() => exists("script"), "needs script: install Debian's bsdutils"],
  faketime: [() => findFaketime() !== undefined, "needs libfaketime: install Debian's libfaketime"],
  pytest: [() => succeeds("python3", "-m", "pytest", "--version"), "needs pytest: install Debian's python3-pytest"],
  pytestCov: [
    () => succeeds("/usr/bin/python3", "-c", "import pytest, pytest_cov"),
    "needs pytest-cov: install Debian's python3-pytest-cov",
  ],
  cargo: [() => succeeds("cargo", "--version"), "needs cargo: install Debian's cargo"],
  go: [() => succeeds("go", "version"), "needs go: install Debian's golang-go"],
  maven: [
    () => exists("mvn") && existsSync("/usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin"),
    "needs Maven with its plugins: install Debian's maven, default-jdk-headless, libsurefire-java, libmaven-compiler-plugin-java, libmaven-resources-plugin-java and junit4",
  ],
  gradle: [
    () => exists("gradle") && existsSync("/usr/share/java/junit4.jar"),
    "needs Gradle: install Debian's gradle, default-jdk-headless and junit4",
  ],
  runners: [
    () => Boolean(process.env["FORGE_TEST_RUNNERS"]),
    "needs Jest, Mocha and Vitest's coverage: `npm install --prefix FOLDER jest mocha @vitest/coverage-v8`, and FORGE_TEST_RUNNERS=FOLDER",
  ],
  postgres: [
    () => Boolean(process.env["FORGE_TEST_POSTGRES_URL"]) || findPostgres() !== undefined,
    `needs PostgreSQL: ${howToGetPostgres}`,
  ],
} satisfies Record<string, [has: () => boolean, howToGet: string]>;

export type Need = keyof typeof needs;

const answers = new Map<Need, boolean>();

/** How to install the first of these that is missing. */
export function missing(needed: readonly Need[]): string | undefined {
  const lacking = needed.find((need) => {
    const has = answers.get(need) ?? needs[need][0]();
    answers.set(need, has);
    return !has;
  });
  return lacking && needs[lacking][1];
}

/** A test that is skipped if the system cannot run it, naming what is missing; it fails if skips are forbidden. */
export function testWith(
  needed: readonly Need[],
  name: string,
  body: () => Promise<void> | void,
  timeout = 60_000,
): void {
  const howToGet = missing(needed);
  if (howToGet === undefined) test(name, { timeout }, body);
  else skipped(name, howToGet);
}

/** The same for a group of tests. */
export function describeWith(needed: readonly Need[], name: string, tests: () => void): void {
  const howToGet = missing(needed);
  if (howToGet === undefined) describe(name, tests);
  else skipped(name, howToGet);
}

export function skipped(name: string, howToGet: string): void {
  if (process.env["FORGE_TEST_NO_SKIPS"] === "1")
    test(name, () => Promise.reject(new Error(`skips are forbidden here: ${howToGet}`)));
  else test.skip(`${name} (${howToGet})`, () => undefined);
}

/** A folder by its real path, accessible to other users; removed after the test. */
export function faultFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-faults-")));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A program that runs until the test ends. */
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
