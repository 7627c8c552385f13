import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readdirSync, readlinkSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { forge } from "../harness/cli/forge-process.ts";
import { eventually } from "../harness/cli/processes.ts";
import { makeSandbox, type Sandbox } from "../harness/git/git.ts";

const program = [forge];

let sandbox: Sandbox;
let project: string;

beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.repository("project", { "README.md": "# Hello\n" });
  const made = sandbox;
  onTestFinished(() => made.dispose());
});

type Ended = { code: number | null; out: string; err: string };

function start(args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [...program, ...args], { cwd: project, env: sandbox.environment });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  return { child, ended: once(child, "close").then(([code]) => ({ code, out, err })) };
}

/** Gives it more than the system keeps for a reader, so that it is reading once this is over. */
async function isReading({ stdin }: ChildProcess): Promise<void> {
  await new Promise((taken) => stdin?.write("\n".repeat(1_000_000), taken));
}

/** Another command from its start to its end, for a time in which nothing comes. */
async function meanwhile(): Promise<void> {
  const { child, ended } = start(["list"]);
  child.stdin?.end();
  expect(await ended).toMatchObject({ code: 0 });
}

function fifo(): string {
  const path = join(project, "pipe");
  execFileSync("mkfifo", [path]);
  return path;
}

/** The pipe's other end, once somebody reads from it. */
async function writerOf(path: string): Promise<number> {
  let end: number | undefined;
  await eventually("a reader", () => {
    try {
      end = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      return false;
    }
    return true;
  });
  return end ?? -1;
}

describe("standard input", () => {
  test("that comes late and bit by bit is waited for", async () => {
    const { child, ended } = start(["import", "-"]);
    await meanwhile();
    await isReading(child);
    await meanwhile();
    child.stdin?.end("# Slow one\n");
    expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining("T-001  added"), err: "" });
  });

  test("that is a file is read", async () => {
    writeFileSync(join(project, "a.md"), "# From a file\n");
    const stdio = [openSync(join(project, "a.md"), "r"), "pipe", "pipe"] as const;
    const child = spawn(process.execPath, [...program, "import", "-"], {
      cwd: project,
      env: sandbox.environment,
      stdio: [...stdio],
    });
    closeSync(stdio[0]);
    expect(await once(child, "close")).toEqual([0, null]);
  });

  test.each(
    [
      ["import", "-"],
      ["call", "get_repository_context", "--input", "-"],
    ].map((args) => ({ args })),
  )("Ctrl+C ends the wait of $args with 130", async ({ args }) => {
    const { child, ended } = start(args);
    await isReading(child);
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 130, out: "", err: "error: Reading standard input was cancelled.\n" });
  });
});

describe.skipIf(process.platform === "win32")("a named pipe", () => {
  test("is waited for and read to its end", async () => {
    const path = fifo();
    const { ended } = start(["import", path, "--format", "markdown"]);
    const end = await writerOf(path);
    writeSync(end, "# Slow");
    await meanwhile();
    writeSync(end, " one\n");
    closeSync(end);
    expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining("T-001  added"), err: "" });
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends the wait for what nobody writes, with %i", async (signal, code) => {
    const path = fifo();
    const { child, ended } = start(["import", path]);
    const end = await writerOf(path);
    child.kill(signal);
    expect(await ended).toMatchObject({ code, err: expect.stringContaining("pipe was cancelled.\n") });
    closeSync(end);
  });

  test.skipIf(process.platform !== "linux")("Ctrl+C ends the wait for a writer", async () => {
    const path = fifo();
    const { child, ended } = start(["import", path]);
    const fds = `/proc/${child.pid}/fd`;
    await eventually("the pipe to be open", () => readdirSync(fds).some((fd) => linkAt(join(fds, fd)) === path));
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130 });
  });
});

/** What is open may be closed before it is looked at. */
function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
