import { type ChildProcess, spawn } from "node:child_process";
import { ForgeError } from "../../kernel/errors.ts";
import { childEnvironment } from "../host/env.ts";
import { buried, endTree, killLeftovers, remember } from "./children.ts";
import { maskedDescriptors } from "./descriptors.ts";
import { startError } from "./errors.ts";
import { failedStart, inNamespace, lifeline, type Wrapped } from "./namespace.ts";
import { HeadAndTail } from "./output.ts";
import { locateProgram } from "./program.ts";
import { closed, isDoneWithin, streamsOf, watchLifeline } from "./streams.ts";

export { killAllChildren } from "./children.ts";

/**
 * What holds a command's descendants together. `group`: a process group, which a descendant can leave; for programs that
 * we know, such as git. `namespace`: for whatever a project brings; nobody can leave it, and it ends with us even where we
 * are killed. Where the system has none (it takes Linux and its consent) it is a group as well; the result says which.
 */
export type Containment = "group" | "namespace";

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
  /** Sees standard error as it comes; it is kept all the same. */
  onStderr?(chunk: Buffer): void;
  /** `group` unless told. */
  containment?: Containment;
};

export type RunResult = {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: Buffer;
  /** Some output was left out; the place is marked in it. */
  truncated: boolean;
  timedOut: boolean;
  containment: Containment;
};

/** How a command ended. A verdict rests on this alone, never on what the command printed. */
export type Ending = { by: "exit"; code: number } | { by: "signal"; signal: string } | { by: "deadline" };

const defaultDeadlineMs = 30_000;
const defaultOutputBytes = 1_048_576;
/** How long after the child's end its descendants may write; and then how long the pipes may stay open. */
const pipeGraceMs = 200;

/**
 * Runs a program to its end: an argument list, never a shell; our stdin, stdout and other descriptors out of reach.
 * Rejects with a ForgeError where it cannot be started or the signal is aborted, and only once its whole tree is gone.
 */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  if (options.signal?.aborted) throw cancelled(command);
  const path = locateProgram(command, { cwd: options.cwd, env: options.env ?? childEnvironment() });
  const given = { command: path, args };
  const wrapped = options.containment === "namespace" ? await inNamespace(given, endsBySigterm) : undefined;
  if (!wrapped) return perform(given, { ...options, containment: "group" }, command);
  if (options.signal?.aborted) throw cancelled(command);
  const result = await perform(wrapped, options, command);
  const complaint = failedStart(result.code, result.stderr.toString(), path);
  if (complaint) throw startError(complaint.includes("Text file busy") ? "ETXTBSY" : complaint, command, options.cwd);
  return result;
}

export function endingOf({ code, signal, timedOut }: RunResult): Ending {
  if (timedOut) return { by: "deadline" };
  return code === null ? { by: "signal", signal: signal ?? "unknown" } : { by: "exit", code };
}

async function endsBySigterm(probe: Wrapped): Promise<boolean> {
  try {
    const options = { cwd: "/", deadlineMs: 5_000, containment: "namespace" } as const;
    return (await perform(probe, options, probe.command)).signal === "SIGTERM";
  } catch {
    return false;
  }
}

type Started = { command: string; args: readonly string[] };

async function perform(started: Started, options: RunOptions, name: string): Promise<RunResult> {
  const { containment = "group" } = options;
  const child = start(started, options, name);
  const stdout = new HeadAndTail(options.maxOutputBytes ?? defaultOutputBytes);
  const stderr = new HeadAndTail(options.maxOutputBytes ?? defaultOutputBytes);
  let timedOut = false;
  let ending: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;
  const end = () => {
    ending ??= endTree(child, containment);
  };
  const handOver = (reader: ((chunk: Buffer) => void) | undefined, chunk: Buffer) => {
    try {
      reader?.(chunk);
    } catch (error) {
      // Thrown from here it would end the program; the caller is waiting below.
      failure ??= { error };
      end();
    }
  };
  child.stdout?.on("data", (chunk: Buffer) => {
    if (options.onStdout) handOver(options.onStdout, chunk);
    else stdout.add(chunk);
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr.add(chunk);
    handOver(options.onStderr, chunk);
  });
  feed(child, options.input);
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, options.deadlineMs ?? defaultDeadlineMs);
  options.signal?.addEventListener("abort", end, { once: true });
  try {
    const { code, signal } = await ended(child, name, options.cwd);
    await ending;
    if (failure) throw failure.error;
    if (options.signal?.aborted) throw cancelled(name);
    const truncated = stdout.truncated || stderr.truncated;
    return { code, signal, stdout: stdout.toBuffer(), stderr: stderr.toBuffer(), truncated, timedOut, containment };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", end);
    await cleanUp(child);
  }
}

function start({ command, args }: Started, options: RunOptions, name: string): ChildProcess {
  const extra = options.containment === "namespace" ? ["pipe" as const] : [];
  try {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? childEnvironment(),
      stdio: [
        options.input === undefined ? "ignore" : "pipe",
        "pipe",
        "pipe",
        ...extra,
        ...maskedDescriptors(lifeline + extra.length),
      ],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    if (child.pid !== undefined) remember(child.pid);
    watchLifeline(child);
    return child;
  } catch (error) {
    throw startError(error, name, options.cwd);
  }
}

function feed(child: ChildProcess, input: string | Uint8Array | undefined): void {
  if (input === undefined) return;
  // A child that does not read to the end closes the pipe; that is its right and not our failure.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
}

type Exit = { code: number | null; signal: NodeJS.Signals | null };

/**
 * Resolves when the child has ended and its output is read. A descendant that keeps the pipes open is ended after a
 * moment; one that left the group does not hold up the result either.
 */
function ended(child: ChildProcess, name: string, cwd: string): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(startError(error, name, cwd)));
    child.once("exit", async (code, signal) => {
      const read = Promise.all([closed(child.stdout), closed(child.stderr)]);
      if (!(await isDoneWithin(read, pipeGraceMs))) {
        if (child.pid !== undefined) killLeftovers(child.pid);
        await isDoneWithin(read, pipeGraceMs);
      }
      resolve({ code, signal });
    });
  });
}

async function cleanUp(child: ChildProcess): Promise<void> {
  const streams = streamsOf(child);
  if (child.pid !== undefined) {
    killLeftovers(child.pid);
    if (streams[lifeline]) await isDoneWithin(closed(streams[lifeline]), pipeGraceMs);
    else await buried(child.pid);
  }
  for (const stream of streams) stream?.destroy();
}

function cancelled(command: string): ForgeError {
  return new ForgeError("CANCELLED", `${command} was stopped because the call was cancelled.`);
}
