import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, test } from "vitest";
import { type Containment, run } from "../../src/platform/exec/run.ts";
import { skipped } from "../harness/faults/faults.ts";

export const containments: Containment[] = ["group", "namespace"];

const { containment: best } = await run(process.execPath, ["--version"], { cwd: "/", containment: "namespace" }).catch(
  () => ({ containment: "group" }),
);

/** A test that needs PID namespaces. */
export function namespaceTest(name: string, body: () => Promise<void>): void {
  if (best === "namespace") test(name, body);
  else skipped(name, "PID namespaces are not allowed here; needs Linux with util-linux, and root or user namespaces");
}

/** A folder that is gone when the test is over. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "forge-attack-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A number of seconds that nobody else sleeps: its processes can be told by it, whatever ids they have where they live. */
export class Sleepers {
  readonly seconds = `${86_400 + randomBytes(2).readUInt16BE()}.${randomBytes(4).readUInt32BE()}`;

  constructor() {
    onTestFinished(() => {
      for (const pid of this.alive()) execFileSync("kill", ["-KILL", String(pid)]);
    });
  }

  /** As seen from here. A zombie has no command line any more. */
  alive(): number[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => fileText(`/proc/${pid}/cmdline`).endsWith(`sleep\0${this.seconds}\0`))
      .map(Number);
  }
}

function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

const exec = fileURLToPath(new URL("../../src/platform/exec/run.ts", import.meta.url));
const tsx = import.meta.resolve("tsx");

export type Surroundings = {
  env?: Record<string, string>;
  /** Shell words before the program: `exec 200</etc/hostname; `. */
  before?: string;
};

/** Starts a program of its own that has `run` at hand; it is gone when the test is over. */
export function startProgram(folder: string, source: string, { env = {}, before = "" }: Surroundings = {}) {
  const file = join(folder, `program-${randomBytes(4).toString("hex")}.mts`);
  writeFileSync(file, `import { endingOf, run } from ${JSON.stringify(exec)};\n${source}`);
  const { PATH = "" } = process.env;
  const words = ["-c", `${before}exec "$@"`, "sh", process.execPath, "--import", tsx, file];
  const child = spawn("bash", words, { cwd: folder, env: { PATH, HOME: folder, ...env }, stdio: "pipe" });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ stdout: string; stderr: string }>((resolve) => {
    child.once("close", () => resolve({ stdout, stderr }));
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
    return ended.then(() => undefined);
  });
  return { child, ended };
}

/** What such a program printed, as JSON. */
export async function outcomeOf(folder: string, source: string, surroundings: Surroundings = {}): Promise<unknown> {
  const { stdout, stderr } = await startProgram(folder, source, surroundings).ended;
  if (stdout === "") throw new Error(`the program printed nothing; stderr: ${stderr}`);
  return JSON.parse(stdout);
}

/** How many processes a user has, zombies aside. */
export function processesOf(uid: number): number {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    const status = fileText(`/proc/${pid}/status`);
    return new RegExp(`^Uid:\\s+${uid}\\s`, "m").test(status) && !/^State:\s+[ZX]/m.test(status);
  }).length;
}
