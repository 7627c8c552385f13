import { closeSync, constants, fchmodSync, fchownSync, openSync, renameSync, writeSync } from "node:fs";
import { errorCode } from "../../host/error-code.ts";
import { closeQuietly } from "../close-quietly.ts";
import { statsOf } from "../entry-stats.ts";
import { systemError } from "../file-error.ts";
import type { FileOpener, OpenedEntry } from "../root/file-opener.ts";
import { placeNew } from "../root/place-file.ts";
import { draftName, removeOldDrafts, removeQuietly } from "./drafts.ts";
import { confirmChange, syncFile } from "./sync.ts";

const { O_WRONLY, O_CREAT, O_EXCL } = constants;
const { O_NOFOLLOW = 0 }: Partial<typeof constants> = constants;

/** A name in a folder that is open and verified. */
export type Place = { opening: FileOpener; folder: OpenedEntry; name: string };

export type DurableWrite = {
  /** Exactly these permissions; default: 0666 without the umask. */
  mode?: number;
  owner?: { uid: number; gid: number };
  /** Fails with EEXIST where the name is taken, rather than replacing what is there. */
  mustBeNew?: boolean;
  /** Runs with the new content ready on the disk, right before it takes its place; a throw keeps the old. */
  beforePlacing?(): void;
};

/**
 * Writes a file so that a reader, also after a crash, sees the old content or the new and never a mixture.
 * When this returns, the new content is on the disk. Where it throws, nothing is left behind; after a crash, a draft may be,
 * and a later write to the folder removes it. A link at the name is replaced, never followed.
 */
export async function writeDurably(place: Place, bytes: Uint8Array, how: DurableWrite = {}): Promise<void> {
  const { opening, folder, name } = place;
  removeOldDrafts(opening, folder);
  const draft = draftName();
  const path = opening.pathIn(folder, draft);
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, openingMode(how.mode));
  try {
    await closeAfter(descriptor, async () => {
      opening.confirm(folder, draft, descriptor);
      writeAll(descriptor, bytes);
      applyAttributes(descriptor, bytes.length, how);
      await syncFile(descriptor);
    });
    how.beforePlacing?.();
    const target = opening.pathIn(folder, name);
    if (how.mustBeNew) placeNew(path, target);
    else renameSync(path, target);
  } catch (error) {
    removeQuietly(path);
    throw error;
  }
  await confirmChange(name, folder.descriptor);
}

/** Nobody else may look into a file with permissions of its own before they are set. */
function openingMode(mode: number | undefined): number {
  return mode === undefined ? 0o666 : mode & 0o600;
}

/** A file that cannot be closed may not be on the disk, so that counts too; but not over an earlier error. */
async function closeAfter(descriptor: number, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    closeQuietly(descriptor);
    throw error;
  }
  closeSync(descriptor);
}

/** All of it, or a throw: the system may take less than it is given. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    const count = writeSync(descriptor, bytes, done, bytes.length - done, done);
    if (count === 0) throw systemError("EIO");
    done += count;
  }
}

function applyAttributes(descriptor: number, length: number, { mode, owner }: DurableWrite): void {
  const stats = statsOf(descriptor);
  if (stats.size !== BigInt(length)) throw systemError("EIO");
  if (owner && (stats.uid !== BigInt(owner.uid) || stats.gid !== BigInt(owner.gid))) giveTo(descriptor, owner);
  // Only where it differs: some file systems have permissions that cannot be set.
  if (mode !== undefined && (Number(stats.mode) & 0o777) !== mode) fchmodSync(descriptor, mode);
}

/** Only root can; for others the file becomes theirs, as with any editor that writes this way. */
function giveTo(descriptor: number, { uid, gid }: { uid: number; gid: number }): void {
  try {
    fchownSync(descriptor, uid, gid);
  } catch (error) {
    if (errorCode(error) !== "EPERM") throw error;
  }
}
