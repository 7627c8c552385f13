import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import { readPinned } from "../../platform/state/pinned-file.ts";

/**
 * Something of a project that may be run: a file by its bytes, or a command by its words. A script that is run with words of
 * its own is two.
 */
export type Runnable =
  | { id: string; file: string; command?: never; unusable?: never }
  | { id: string; command: readonly string[]; file?: never; unusable?: never }
  /** What cannot be known before it runs, and why; the reason goes on after its name. */
  | { id: string; unusable: string; file?: never; command?: never };

/** What will run, by content. `bytes` are a file's, `command` its words: run these and not what is in the project by then. */
export type PinnedRunnable = {
  id: string;
  runs: string;
  sha256: string;
  bytes?: Buffer;
  command?: readonly string[];
};

export type RefusedRunnable = { id: string; runs: string; why: string };

/** Looks at what a runnable is right now. Files are relative to the first folder and must be below one of them. */
export function pinRunnable(
  runnable: Runnable,
  folders: readonly [string, ...string[]],
): PinnedRunnable | RefusedRunnable {
  const { id } = runnable;
  if (runnable.unusable !== undefined) return { id, runs: id, why: runnable.unusable };
  if (runnable.command) return pinCommand(id, runnable.command);
  const { file } = runnable;
  const read = readPinned(isAbsolute(file) ? file : join(folders[0], file), folders);
  if ("why" in read) return { id, runs: file, why: read.why };
  return { id, runs: file, sha256: sha256(read.bytes), bytes: read.bytes };
}

export function pinCommand(id: string, command: readonly string[]): PinnedRunnable {
  return { id, runs: command.join(" "), sha256: sha256(JSON.stringify(command)), command };
}

export function isRefused(looked: PinnedRunnable | RefusedRunnable): looked is RefusedRunnable {
  return "why" in looked;
}

export function isPinned(looked: PinnedRunnable | RefusedRunnable): looked is PinnedRunnable {
  return !isRefused(looked);
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
