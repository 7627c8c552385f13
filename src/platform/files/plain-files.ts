import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { isOpenedAt } from "./opened-at.ts";
import { isReadable } from "./protected-names.ts";
import { realPlace } from "./real-place.ts";

const { O_RDONLY } = constants;
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 }: Partial<typeof constants> = constants;

/** A file written as recently as this may be written again without its time changing. */
const settledMs = 1_000;

/** Changes with every write of a file. One that is not settled may not change with the next. */
export type FileStamp = { text: string; isSettled: boolean };

/**
 * Reads many files of one tree, by paths from its root, as fast as the system can. Links are never followed, neither as a
 * file nor as a folder on the way.
 */
export class PlainFiles {
  readonly #root: string;
  /** Where it really is. */
  readonly #place: string;
  readonly #openedAt = Date.now();
  readonly #folders = new Map<string, boolean>([["", true]]);

  constructor(root: string) {
    this.#root = root;
    this.#place = realPlace(root);
  }

  /** Of the file, or link, of that path; undefined where there is none. */
  stamp(path: string): FileStamp | undefined {
    try {
      if (!this.#isPlainFolder(folderOf(path))) return undefined;
      const entry = lstatSync(`${this.#root}/${path}`, { throwIfNoEntry: false });
      if (!entry?.isFile() && !entry?.isSymbolicLink()) return undefined;
      const { mtimeMs, ctimeMs, size, ino } = entry;
      const isSettled = this.#openedAt - Math.max(mtimeMs, ctimeMs) > settledMs;
      return { text: `${mtimeMs} ${ctimeMs} ${size} ${ino}`, isSettled };
    } catch {
      return undefined;
    }
  }

  /** Undefined for what is not a plain file of at most that size, or must not be read. */
  read(path: string, maxBytes: number): Buffer | undefined {
    if (!isReadable(path) || !this.#isPlainFolder(folderOf(path))) return undefined;
    let descriptor: number | undefined;
    try {
      descriptor = openSync(join(this.#root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      const stats = fstatSync(descriptor);
      if (!stats.isFile() || stats.size > maxBytes) return undefined;
      if (!isOpenedAt(descriptor, Buffer.from(join(this.#place, path)))) return undefined;
      const buffer = Buffer.allocUnsafe(stats.size);
      let filled = 0;
      while (filled < buffer.length) {
        const count = readSync(descriptor, buffer, filled, buffer.length - filled, null);
        if (count === 0) break;
        filled += count;
      }
      return buffer.subarray(0, filled);
    } catch {
      return undefined;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  #isPlainFolder(folder: string): boolean {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const entry = lstatSync(join(this.#root, folder), { throwIfNoEntry: false });
    const isPlain = entry?.isDirectory() === true && this.#isPlainFolder(folderOf(folder));
    this.#folders.set(folder, isPlain);
    return isPlain;
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
