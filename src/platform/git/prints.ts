import { createHash } from "node:crypto";
import { closeSync, constants, openSync, readlinkSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { errorCode } from "../error-code.ts";
import { entryNamed } from "./in-the-way.ts";
import { bytesOf, type RawName, rawOf, rawOfShown } from "./raw-names.ts";
import type { GitRunner } from "./runner.ts";

const chunkBytes = 262_144;
/** So much is read before others get their turn. */
const bytesAtOnce = 8 * 1_048_576;

/**
 * What a file of the work tree is now, in one word that differs where its content does: `absent`, or its kind and a SHA-256.
 * Undefined where that cannot be told; what is found out later is then not to be taken for the same.
 */
export type Print = string | undefined;

/** Of a path as it was shown, the file itself or the one whose name is no UTF-8. */
export function printOf(runner: GitRunner, path: string): Promise<Print> {
  const name = rawOf(path);
  return printOfName(runner, entryNamed(runner, name) ? name : rawOfShown(path));
}

export async function printOfName(runner: GitRunner, name: RawName): Promise<Print> {
  const entry = entryNamed(runner, name);
  if (!entry) return "absent";
  const place = Buffer.concat([Buffer.from(`${runner.workTree}/`), bytesOf(name)]);
  try {
    if (entry.isSymbolicLink()) return `link:${sha256Of(readlinkSync(place, "buffer"))}`;
    if (!entry.isFile()) return undefined;
    return `${(entry.mode & 0o111) === 0 ? "file" : "program"}:${await sha256At(place)}`;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function sha256Of(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function sha256At(place: Buffer): Promise<string> {
  // A pipe that has taken the file's place would keep us for ever.
  const descriptor = openSync(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let total = 0; ; ) {
      const count = readSync(descriptor, buffer, 0, buffer.length, null);
      if (count === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, count));
      total += count;
      if (total % bytesAtOnce === 0) await setImmediate();
    }
  } finally {
    closeSync(descriptor);
  }
}
