import { type BigIntStats, constants, lstatSync, openSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { closeQuietly } from "../close-quietly.ts";
import { isSameFile, kindOf, statsOf } from "../entry-stats.ts";
import { systemError } from "../file-error.ts";
import type { FileOpener, OpenedEntry } from "./file-opener.ts";

const { O_RDONLY } = constants;
/** Windows knows none of these. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 }: Partial<typeof constants> = constants;

/**
 * For systems that do not tell where a descriptor is: after opening, the path is resolved again and must lead to the very
 * file that is open. One such look can be fooled by somebody who swaps folders in its middle; they would have to guess
 * right twice in every one of these, and a single wrong guess refuses.
 */
const looks = 16;

/** What cannot be helped here: between the last look and a rename, a swapped folder can still make the rename go astray. */
export const comparingOpener: FileOpener = {
  look: (path) => open(realpathSync.native(path)),
  readable: ({ descriptor }) => descriptor,
  folder(path) {
    const folder = open(realpathSync.native(path));
    if (folder.kind === "folder") return folder;
    closeQuietly(folder.descriptor);
    throw systemError("ENOTDIR");
  },
  lookAt(folder, name) {
    const path = join(folder.realPath, name);
    const found = lstatOf(path);
    // A link cannot be opened itself here; what is asked of it needs no descriptor.
    if (!found.isFile()) return { descriptor: -1, realPath: path, kind: kindOf(found), stats: found };
    const opened = open(path);
    if (dirname(opened.realPath) === folder.realPath) return opened;
    closeQuietly(opened.descriptor);
    throw systemError("ELOOP");
  },
  pathIn: (folder, name) => (name === undefined ? folder.realPath : join(folder.realPath, name)),
  confirm(folder, name, descriptor) {
    const path = join(folder.realPath, name);
    if (!isReallyAt(path, statsOf(descriptor))) throw systemError("ELOOP");
  },
};

/** Another writer may replace the file at the same time, which is not an attack: so this tries a few times. */
function open(path: string): OpenedEntry {
  for (let look = 1; look <= 5; look++) {
    const opened = openOnce(path);
    if (opened) return opened;
  }
  throw systemError("EBUSY");
}

/** Opening a device can have effects, so only files and folders are opened. */
function openOnce(path: string): OpenedEntry | undefined {
  const seen = lstatOf(path);
  if (seen.isSymbolicLink()) throw systemError("ELOOP");
  if (!seen.isFile() && !seen.isDirectory()) return { descriptor: -1, realPath: path, kind: "other", stats: seen };
  const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  try {
    const stats = statsOf(descriptor);
    const realPath = realpathSync.native(path);
    if (isReallyAt(realPath, stats)) return { descriptor, realPath, kind: kindOf(stats), stats };
  } catch (error) {
    closeQuietly(descriptor);
    throw error;
  }
  closeQuietly(descriptor);
  return undefined;
}

function isReallyAt(path: string, stats: BigIntStats): boolean {
  for (let look = 0; look < looks; look++) {
    if (realpathSync.native(path) !== path || !isSameFile(lstatOf(path), stats)) return false;
  }
  return true;
}

function lstatOf(path: string): BigIntStats {
  return lstatSync(path, { bigint: true });
}
