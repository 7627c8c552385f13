import { constants, copyFileSync, linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { isInside } from "../git/run/locate-repository.ts";
import { errorCode } from "../host/error-code.ts";

export type CloneOptions = {
  /** Links that lead into this folder lead to the same place below `to` in the clone. */
  roots: { from: string; to: string };
  /** Names of folders that are left out. */
  skipped: ReadonlySet<string>;
  signal: AbortSignal;
};

const entriesPerTurn = 500;

/**
 * Makes a folder with the same content as another one. Files are hard links, so it costs no space and little time; on another disk
 * they are copied. Returns how many files there are.
 */
export async function cloneFolder(from: string, to: string, options: CloneOptions): Promise<number> {
  let count = 0;
  const folders = [{ from, to }];
  for (let folder = folders.shift(); folder; folder = folders.shift()) {
    mkdirSync(folder.to, { recursive: true });
    for (const entry of readdirSync(folder.from, { withFileTypes: true })) {
      const place = { from: join(folder.from, entry.name), to: join(folder.to, entry.name) };
      if (entry.isDirectory()) {
        if (!options.skipped.has(entry.name)) folders.push(place);
      } else if (entry.isSymbolicLink()) cloneLink(place, options.roots);
      else if (entry.isFile()) linkOrCopy(place.from, place.to);
      if (++count % entriesPerTurn !== 0) continue;
      await breathe();
      options.signal.throwIfAborted();
    }
  }
  return count;
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!["EXDEV", "EPERM", "EMLINK", "ENOTSUP"].includes(errorCode(error) ?? "")) throw error;
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
}

function cloneLink({ from, to }: { from: string; to: string }, roots: CloneOptions["roots"]): void {
  const target = readlinkSync(from);
  const place = resolve(dirname(from), target);
  if (!isInside(place, roots.from)) symlinkSync(place, to);
  else symlinkSync(isAbsolute(target) ? relative(dirname(from), place) : target, to);
}
