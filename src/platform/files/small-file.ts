import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "../host/error-code.ts";
import { entryAt } from "./entry-at.ts";
import { placeNew } from "./root/place-file.ts";
import { draftName, removeQuietly } from "./write/drafts.ts";
import { writeAll } from "./write/durable-write.ts";

/**
 * Notes of a line or two, where nobody can wait for a promise. They appear whole or not at all, and links are never followed.
 */

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = constants;
/** Windows knows none of these. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 }: Partial<typeof constants> = constants;

/**
 * Creates a file with its whole content, or leaves what is there as it is. Of several processes doing this at once exactly
 * one wins. Returns whether it was this one.
 */
export function createFileOnce(path: string, text: string, mode: number): boolean {
  if (entryAt(path)) return false;
  try {
    writeThroughDraft(path, text, mode, placeNew);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Creates a file or puts a new one in its place; a link there is replaced and not followed. */
export function replaceFile(path: string, text: string, mode: number): void {
  writeThroughDraft(path, text, mode, renameSync);
}

function writeThroughDraft(path: string, text: string, mode: number, place: (from: string, to: string) => void): void {
  const draft = join(dirname(path), draftName());
  const descriptor = openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    try {
      writeAll(descriptor, Buffer.from(text));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    place(draft, path);
  } catch (error) {
    removeQuietly(draft);
    throw error;
  }
}

/** Opens a plain file, making it where `create` says so; undefined where something else has its name. */
export function withPlainFile<T>(path: string, use: "read" | "create", work: (descriptor: number) => T): T | undefined {
  // Looked at before as well: opening a device can have effects, and Windows opens what a link leads to.
  const entry = entryAt(path);
  if (entry ? !entry.isFile() : use === "read") return undefined;
  const flags = use === "read" ? O_RDONLY : O_WRONLY | O_CREAT;
  const descriptor = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    return fstatSync(descriptor).isFile() ? work(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** A plain file's text; undefined where there is none of at most that many bytes. */
export function readSmallFile(path: string, maxBytes: number): string | undefined {
  return withPlainFile(path, "read", (descriptor) =>
    fstatSync(descriptor).size <= maxBytes ? readFileSync(descriptor, "utf8") : undefined,
  );
}
