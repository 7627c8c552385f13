import { type ChildProcess, spawn } from "node:child_process";
import { ForgeError } from "../kernel/errors.ts";
import { childEnvironment } from "./env.ts";
import { endTree, killLeftovers, remember } from "./exec-children.ts";
import { startError } from "./exec-errors.ts";
import { HeadAndTail } from "./exec-output.ts";

export { killAllChildren } from "./exec-children.ts";

export type RunOptions = {
  cwd: string;
  /** The whole environment of the child; the allow-list of ours unless told. */
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** 30 s unless told. */
  deadlineMs?: number;
  /** How much of each stream is kept; 1 MiB unless told. The rest is read and thrown away. */
  maxOutputBytes?: number;
  /** What the child reads on its standard input; nothing unless told. */
  input?: string | Uint8Array;
  /** Takes standard output as it comes; then none of it is kept. */
  onStdout?(chunk: Buffer): void;
};

export type RunResult = {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: Buffer;
  /** Some output was left out; the place is marked in it. */
  truncated: boolean;
  timedOut: boolean;
};

const defaultDeadlineMs = 30_000;
const defaultOutputBytes = 1_048_576;
/** How long after the child's end its descendants may write; and then how long the pipes may stay open. */
const pipeGraceMs = 200;

/**
 * Runs a program to its end: an argument list, never a shell; its own process group; our stdin and stdout out of reach.
 * Rejects with a ForgeError where it cannot be started or the signal is aborted, and only once its whole group is gone.
 */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  if (options.signal?.aborted) throw cancelled(command);
  const child = start(command, args, options);
  const stdout = new HeadAndTail(options.maxOutputBytes ?? defaultOutputBytes);
  const stderr = new HeadAndTail(options.maxOutputBytes ?? defaultOutputBytes);
  let timedOut = false;
  let ending: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;
  const end = () => {
    ending ??= endTree(child);
  };
  child.stdout?.on("data", (chunk: Buffer) => {
    try {
      if (options.onStdout) options.onStdout(chunk);
      else stdout.add(chunk);
    } catch (error) {
      // Thrown from here it would end the program; the caller is waiting below.
      failure ??= { error };
      end();
    }
  });
  child.stderr?.on("data", (chunk: Buffer) => stderr.add(chunk));
  feed(child, options.input);
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, options.deadlineMs ?? defaultDeadlineMs);
  options.signal?.addEventListener("abort", end, { once: true });
  try {
    const { code, signal } = await ended(child, command, options.cwd);
    await ending;
    if (failure) throw failure.error;
    if (options.signal?.aborted) throw cancelled(command);
    const truncated = stdout.truncated || stderr.truncated;
    return { code, signal, stdout: stdout.toBuffer(), stderr: stderr.toBuffer(), truncated, timedOut };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", end);
    if (child.pid !== undefined) killLeftovers(child.pid);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function start(command: string, args: readonly string[], options: RunOptions): ChildProcess {
  try {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? childEnvironment(),
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    if (child.pid !== undefined) remember(child.pid);
    return child;
  } catch (error) {
    throw startError(error, command, options.cwd);
  }
}

function feed(child: ChildProcess, input: string | Uint8Array | undefined): void {
  if (input === undefined) return;
  // A child that does not read to the end closes the pipe; that is its right and not our failure.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
}

type Ending = { code: number | null; signal: NodeJS.Signals | null };

/**
 * Resolves when the child has ended and its output is read. A descendant that keeps the pipes open is ended after a
 * moment; one that left the group does not hold up the result either.
 */
function ended(child: ChildProcess, command: string, cwd: string): Promise<Ending> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(startError(error, command, cwd)));
    child.once("close", (code, signal) => resolve({ code, signal }));
    child.once("exit", (code, signal) => {
      setTimeout(() => {
        if (child.pid !== undefined) killLeftovers(child.pid);
        setTimeout(() => resolve({ code, signal }), pipeGraceMs);
      }, pipeGraceMs).unref();
    });
  });
}

function cancelled(command: string): ForgeError {
  return new ForgeError("CANCELLED", `${command} was stopped because the call was cancelled.`);
}
