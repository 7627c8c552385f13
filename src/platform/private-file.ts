import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { ForgeError } from "../kernel/errors.ts";
import { ensurePrivateFolder, errorCode } from "./files.ts";

const largest = 1_048_576;
const windows = process.platform === "win32";

/** A place in the user's own `~/.forge`, which no project can write to. */
export function userPath(...names: string[]): string {
  return join(homedir(), ".forge", ...names);
}

/** The text of a file that only its owner can have written; undefined where there is none. */
export function readPrivateFile(path: string): string | undefined {
  const descriptor = openIfThere(path);
  if (descriptor === undefined) return undefined;
  try {
    const entry = fstatSync(descriptor);
    if (!entry.isFile() || entry.size > largest) throw refused(path, "is no small regular file");
    if (process.getuid && entry.uid !== process.getuid()) throw refused(path, "belongs to another user");
    if (!windows && (entry.mode & 0o022) !== 0) throw refused(path, "can be written by others");
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Replaces a private file in one step that outlives a power cut; its folder is made where it is missing. */
export function writePrivateFile(path: string, text: string): void {
  const folder = dirname(path);
  ensurePrivateFolder(dirname(folder));
  ensurePrivateFolder(folder);
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw unwritable(path, error);
  }
  syncFolder(folder);
}

/** Removes a private file for good; returns whether there was one. */
export function removePrivateFile(path: string): boolean {
  try {
    rmSync(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw unwritable(path, error);
  }
  syncFolder(dirname(path));
  return true;
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw refused(path, code === "ELOOP" ? "is a symbolic link" : `cannot be read (${code})`);
  }
}

/** Windows cannot open a folder, and keeps its entries safe by itself. */
function syncFolder(folder: string): void {
  if (windows) return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function refused(path: string, why: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${path} ${why}, so Forge does not go by it.`, {
    details: { file: path },
    suggestions: ["Look at the file; where it is not yours, move it away."],
  });
}

function unwritable(path: string, error: unknown): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${path} cannot be written (${errorCode(error) ?? "unknown reason"}).`, {
    details: { file: path },
    suggestions: ["Check that your home folder has room and that you may write in it."],
    cause: error,
  });
}
