import { createHash, type Hash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { isOpenedAt } from "../../files/opened-at.ts";
import { errorCode } from "../../host/error-code.ts";
import { bytesOf, type RawName, rawOf, rawOfShown } from "../names/raw-names.ts";
import { entryNamed } from "../read/entry-named.ts";
import type { GitRunner } from "../run/runner.ts";
import { isBehindLink } from "../write/commit-paths.ts";

const chunkBytes = 262_144;
/** So much is read before others get their turn. */
const bytesAtOnce = 8 * 1_048_576;

/**
 * What a file of the work tree is now, in one word that differs where its content does: `absent`, or its kind and a SHA-256.
 * Undefined where that cannot be told; what is found out later is then not to be taken for the same.
 */
export type Fingerprint = string | undefined;

/** A file as it was at one look; `blob`: the id that git gives to these very bytes where it takes them as they are. */
export type SeenFile = { print: Fingerprint; blob?: string | undefined };

/** Of a path as it was shown, the file itself or the one whose name is no UTF-8. */
export async function fingerprintOf(runner: GitRunner, path: string): Promise<Fingerprint> {
  return fingerprintOfName(runner, nameOfShown(runner, path));
}

export async function fingerprintOfName(runner: GitRunner, name: RawName): Promise<Fingerprint> {
  return (await inspectFile(runner, name, undefined)).print;
}

/** The same, with what a commit needs to check that it takes these bytes; `commit` is any of the repository's. */
export function seeFile(runner: GitRunner, path: string, commit: string): Promise<SeenFile> {
  return inspectFile(runner, nameOfShown(runner, path), commit.length === 64 ? "sha256" : "sha1");
}

/** The same of a name itself. */
export function seeNamed(runner: GitRunner, name: RawName, digits: number): Promise<SeenFile> {
  return inspectFile(runner, name, digits === 64 ? "sha256" : "sha1");
}

function nameOfShown(runner: GitRunner, path: string): RawName {
  const name = rawOf(path);
  return entryNamed(runner, name) ? name : rawOfShown(path);
}

type IdHash = "sha1" | "sha256" | undefined;

async function inspectFile(runner: GitRunner, name: RawName, idHash: IdHash): Promise<SeenFile> {
  const entry = isBehindLink(runner, name) ? undefined : entryNamed(runner, name);
  if (!entry) return { print: "absent" };
  const place = joinPath(runner, name);
  try {
    if (entry.isSymbolicLink()) {
      const target = readlinkSync(place, "buffer");
      const print = `link:${createHash("sha256").update(target).digest("hex")}`;
      return { print, blob: blobHash(idHash, target.length)?.update(target).digest("hex") };
    }
    if (!entry.isFile()) return { print: undefined };
    const { sha256, blob } = await hashFile(place, idHash);
    return { print: `${(entry.mode & 0o111) === 0 ? "file" : "program"}:${sha256}`, blob };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return { print: undefined };
  }
}

function blobHash(idHash: IdHash, bytes: number): Hash | undefined {
  return idHash && createHash(idHash).update(`blob ${bytes}\0`);
}

/** The bytes of a file of the work tree; `large` where there are more. Undefined where there is no such file. */
export function readNamed(runner: GitRunner, name: RawName, maxBytes: number): Buffer | "large" | undefined {
  let descriptor: number | undefined;
  try {
    const place = joinPath(runner, name);
    descriptor = openPlain(place);
    const { size } = fstatSync(descriptor);
    return size > maxBytes ? "large" : readFileSync(descriptor);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function joinPath({ workTree }: GitRunner, name: RawName): Buffer {
  return Buffer.concat([Buffer.from(`${workTree}/`), bytesOf(name)]);
}

/** Throws where it is not the file of this path, because a link or another folder has taken its place. */
function openPlain(place: Buffer): number {
  // Opening a pipe that has replaced the file would block.
  const descriptor = openSync(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  if (isOpenedAt(descriptor, place)) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error("it was moved"), { code: "ENOENT" });
}

async function hashFile(place: Buffer, idHash: IdHash): Promise<{ sha256: string; blob: string | undefined }> {
  const descriptor = openPlain(place);
  try {
    const { size } = fstatSync(descriptor);
    const hash = createHash("sha256");
    const blob = blobHash(idHash, size);
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let total = 0; ; ) {
      const count = readSync(descriptor, buffer, 0, buffer.length, null);
      if (count === 0) return { sha256: hash.digest("hex"), blob: total === size ? blob?.digest("hex") : undefined };
      const chunk = buffer.subarray(0, count);
      hash.update(chunk);
      blob?.update(chunk);
      total += count;
      if (total % bytesAtOnce === 0) await setImmediate();
    }
  } finally {
    closeSync(descriptor);
  }
}
