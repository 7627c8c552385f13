import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** The entry itself, links not followed; undefined where there is none. */
export function entryAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Makes a folder only its owner may look into, unless there is one already. Its parents must exist. */
export function ensurePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    // The umask may have taken bits away from the owner; group and others never had any.
    chmodSync(path, 0o700);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/**
 * Creates a file with its whole content, or leaves the one that is there as it is. A reader never sees half of it, and of
 * several processes doing this at once exactly one wins. Returns whether it was this one.
 */
export function createFileOnce(path: string, text: string, mode: number): boolean {
  if (entryAt(path)) return false;
  const draft = join(dirname(path), `.${process.pid}-${Date.now()}-${Math.random().toString(36).slice(2)}.tmp`);
  const descriptor = openSync(draft, "wx", mode);
  try {
    try {
      writeSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    return publish(draft, path, text, mode);
  } finally {
    unlinkSync(draft);
  }
}

/** A hard link refuses to replace; file systems without hard links get a plain exclusive creation. */
function publish(draft: string, path: string, text: string, mode: number): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    return createExclusively(path, text, mode);
  }
}

function createExclusively(path: string, text: string, mode: number): boolean {
  try {
    const descriptor = openSync(path, "wx", mode);
    try {
      writeSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** The system's name for what went wrong: `ENOENT`, `EACCES`. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
