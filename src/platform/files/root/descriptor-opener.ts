import { constants, openSync, readlinkSync } from "node:fs";
import { closeQuietly } from "../close-quietly.ts";
import { kindOf, statsOf } from "../entry-stats.ts";
import type { FileOpener, OpenedEntry } from "./file-opener.ts";

/** Linux: opens the entry without opening what it refers to, so no device reacts and no pipe blocks. */
const pathOnly = 0o10000000;

const { O_RDONLY, O_NOFOLLOW, O_DIRECTORY, O_NONBLOCK, O_NOCTTY } = constants;

/** Linux tells where an open descriptor really is, and lets it stand for its folder in a path: nothing left to race for. */
export const descriptorOpener: FileOpener = {
  look: (path) => open(path, pathOnly),
  readable: ({ descriptor }) => openSync(own(descriptor), O_RDONLY | O_NONBLOCK | O_NOCTTY),
  folder: (path) => open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK),
  lookAt: (folder, name) => open(`${own(folder.descriptor)}/${name}`, pathOnly | O_NOFOLLOW),
  pathIn: (folder, name) => (name === undefined ? own(folder.descriptor) : `${own(folder.descriptor)}/${name}`),
  confirm: () => undefined,
};

function own(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

function open(path: string, flags: number): OpenedEntry {
  const descriptor = openSync(path, flags);
  try {
    const stats = statsOf(descriptor);
    const place = readlinkSync(own(descriptor));
    // Another writer may have put a new file in its place since; what we hold is still what was there.
    const realPath = stats.nlink === 0n ? place.replace(/ \(deleted\)$/, "") : place;
    return { descriptor, realPath, kind: kindOf(stats), stats };
  } catch (error) {
    closeQuietly(descriptor);
    throw error;
  }
}
