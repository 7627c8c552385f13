import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { requireRealPath } from "../files/real-place.ts";
import { isInside } from "../git/run/locate-repository.ts";
import { errorCode } from "../host/error-code.ts";

export type PinnedFile = { place: string; bytes: Buffer } | { why: string };

const maxBytes = 4 * 1_048_576;

/**
 * A file's bytes as they are now, read once through one descriptor, or why they are not to be used. Symbolic links count for
 * where they lead, and that must be below one of the folders; what was opened is compared with what is there afterwards.
 */
export function readPinned(file: string, folders: readonly string[]): PinnedFile {
  let descriptor: number | undefined;
  try {
    const place = requireRealPath(file);
    if (!folders.some((folder) => isInside(place, folder))) return { why: "leads outside the project" };
    descriptor = openSync(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const entry = fstatSync(descriptor);
    if (!entry.isFile()) return { why: "is not a regular file" };
    if (entry.size > maxBytes) return { why: `is larger than ${maxBytes} bytes` };
    const bytes = readUpTo(descriptor, maxBytes);
    if (bytes === undefined) return { why: `is larger than ${maxBytes} bytes` };
    const now = lstatSync(place);
    if (now.ino !== entry.ino || now.dev !== entry.dev || requireRealPath(place) !== place)
      return { why: "was replaced while it was read" };
    return { place, bytes };
  } catch (error) {
    return { why: `cannot be read (${errorCode(error) ?? "unknown reason"})` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** By what is there, not by the size told before: the file may be growing. */
function readUpTo(descriptor: number, limit: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let total = 0; total <= limit; ) {
    const chunk = Buffer.allocUnsafe(65_536);
    const length = readSync(descriptor, chunk, 0, chunk.length, null);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, length));
    total += length;
  }
  return undefined;
}

/** Names of what may be executed in a folder, sorted; none where it cannot be looked into. */
export function executablesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => isExecutable(join(folder, name)))
      .sort();
  } catch {
    return [];
  }
}

/** Also true of a broken link: what cannot be ruled out is shown. */
function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return !statSync(path).isDirectory();
  } catch (error) {
    return errorCode(error) !== "EACCES";
  }
}
