import { type ChildProcess, spawn } from "node:child_process";
import { ForgeError } from "../../kernel/errors.ts";
import { requirePinned } from "../files/pinned-folders.ts";
import { childEnvironment } from "../host/environment.ts";
import { endTree, killLeftovers, trackChild, waitUntilGone } from "./children.ts";
import { maskDescriptors } from "./descriptors.ts";
import { startError } from "./errors.ts";
import { HeadAndTail } from "./head-and-tail.ts";
import { type ResourceLimits, wrapInLimits, wrapInMemoryLimit } from "./limits.ts";
import { locateProgram } from "./locate-program.ts";
import { lifeline, startComplaint, type WrappedCommand, wrapInNamespace } from "./namespace.ts";
import { isDoneWithin, streamsOf, waitUntilClosed, watchLifeline } from "./streams.ts";

export { killAllChildren } from "./children.ts";

/**
 * What holds a command's descendants together. `group`: a process group, which a descendant can leave; for programs that
 * we know, such as git. `namespace`: for whatever a project brings; nothing can leave it, and it ends with us even if we are
 * killed. Systems without namespaces use a group as well; the result says which.
 */
export type Containment = "group" | "namespace";

export type RunOptions = {
  cwd: string;
  /** The complete environment of the child; default: the allow-list of ours. */
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Default: 30 s. */
  deadlineMs?: number;
  /** How much of each stream is kept; the rest is read and discarded. Default: 1 MiB. */
  maxOutputBytes?: number;
  /** What the child reads on its standard input; default: nothing. */
  input?: string | Uint8Array;
  /** Takes standard output as it comes; then none of it is kept. */
  onStdout?(chunk: Buffer): void;
  /** Sees standard error as it comes; it is kept all the same. */
  onStderr?(chunk: Buffer): void;
  /** Default: `group`. */
  containment?: Containment;
  /** What its processes may use; default: no limits. */
  limits?: ResourceLimits;
  /** What each of its processes may have of data, where the system can hold it; for programs that we know. */
  memoryMegabytes?: number;
  /** Only a loopback of its own. Needs `namespace`; fails if the system cannot do it. */
  withoutNetwork?: boolean;
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
  /** The limits in force, in words. */
  limits: string[];
};

/** How a command ended. A verdict rests on this alone, never on what the command printed. */
export type ExitReason = { by: "exit"; code: number } | { by: "signal"; signal: string } | { by: "deadline" };

const defaultDeadlineMs = 30_000;
const defaultMaxOutputBytes = 1_048_576;
/** How long after the child's end its descendants may write; and then how long the pipes may stay open. */
const pipeGraceMs = 200;

/**
 * Runs a program to its end: an argument list, never a shell; our stdin, stdout and other descriptors out of reach.
 * Rejects with a ForgeError if it cannot be started or the signal is aborted, and only once all its descendants are gone.
 */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  if (options.signal?.aborted) throw cancelledError(command);
  requirePinned(options.cwd);
  const path = locateProgram(command, { cwd: options.cwd, env: options.env ?? childEnvironment() });
  const limited = options.limits ? wrapInLimits({ command: path, args }, options.limits) : undefined;
  const { withoutNetwork = false, memoryMegabytes } = options;
  const plain = { command: path, args };
  const given = limited ?? (memoryMegabytes === undefined ? plain : wrapInMemoryLimit(plain, memoryMegabytes));
  const isNamespace = options.containment === "namespace";
  const wrapped = isNamespace ? await wrapInNamespace(given, endsBySigterm, withoutNetwork) : undefined;
  if (withoutNetwork && !wrapped) throw cannotCutNetwork(command);
  if (options.signal?.aborted) throw cancelledError(command);
  const ran = await runChild(wrapped ?? given, wrapped ? options : { ...options, containment: "group" }, command);
  const result = { ...ran, limits: [...(limited?.inForce ?? []), ...(withoutNetwork ? ["no network"] : [])] };
  if (!wrapped && !limited) return result;
  const complaint = startComplaint(result.code, result.stderr.toString(), path);
  if (complaint) throw startError(complaint.includes("Text file busy") ? "ETXTBSY" : complaint, command, options.cwd);
  return result;
}

function cannotCutNetwork(command: string): ForgeError {
  return new ForgeError(
    "DEPENDENCY_ERROR",
    `${command} was not started: its project wants it to run without network, which this system does not allow.`,
    { next: ["Use Linux with user namespaces, or remove `network` from .forge/workbench.json."] },
  );
}

export function toExitReason({ code, signal, timedOut }: Pick<RunResult, "code" | "signal" | "timedOut">): ExitReason {
  if (timedOut) return { by: "deadline" };
  return code === null ? { by: "signal", signal: signal ?? "unknown" } : { by: "exit", code };
}

async function endsBySigterm(probe: WrappedCommand): Promise<boolean> {
  try {
    const options = { cwd: "/", deadlineMs: 5_000, containment: "namespace" } as const;
    return (await runChild(probe, options, probe.command)).signal === "SIGTERM";
  } catch {
    return false;
  }
}

type CommandLine = { command: string; args: readonly string[] };

async function runChild(started: CommandLine, options: RunOptions, name: string): Promise<Omit<RunResult, "limits">> {
  const { containment = "group" } = options;
  const child = startChild(started, options, name);
  const stdout = new HeadAndTail(options.maxOutputBytes ?? defaultMaxOutputBytes);
  const stderr = new HeadAndTail(options.maxOutputBytes ?? defaultMaxOutputBytes);
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
    const { code, signal } = await waitForEnd(child, name, options.cwd);
    await ending;
    if (failure) throw failure.error;
    if (options.signal?.aborted) throw cancelledError(name);
    const truncated = stdout.truncated || stderr.truncated;
    return { code, signal, stdout: stdout.toBuffer(), stderr: stderr.toBuffer(), truncated, timedOut, containment };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", end);
    await cleanUp(child);
  }
}

function startChild({ command, args }: CommandLine, options: RunOptions, name: string): ChildProcess {
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
        ...maskDescriptors(lifeline + extra.length),
      ],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    if (child.pid !== undefined) trackChild(child.pid);
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
function waitForEnd(child: ChildProcess, name: string, cwd: string): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(startError(error, name, cwd)));
    child.once("exit", async (code, signal) => {
      const read = Promise.all([waitUntilClosed(child.stdout), waitUntilClosed(child.stderr)]);
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
    if (streams[lifeline]) await isDoneWithin(waitUntilClosed(streams[lifeline]), pipeGraceMs);
    else await waitUntilGone(child.pid);
  }
  for (const stream of streams) stream?.destroy();
}

function cancelledError(command: string): ForgeError {
  return new ForgeError("CANCELLED", `${command} was stopped because the call was cancelled.`);
}
