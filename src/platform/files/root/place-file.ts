import { constants, copyFileSync, linkSync, lstatSync, openSync, renameSync } from "node:fs";
import { errorCode } from "../../host/error-code.ts";
import { closeQuietly } from "../close-quietly.ts";
import { systemError } from "../file-error.ts";
import { removeQuietly } from "../write/drafts.ts";
import { syncFile } from "../write/sync.ts";

/** What file systems without hard links say when asked for one. */
const noHardLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Gives a file its name unless the name is taken (EEXIST): of several who try, one wins. */
export function placeNew(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!noHardLinks.has(errorCode(error) ?? "")) throw error;
    if (lstatSync(to, { throwIfNoEntry: false })) throw systemError("EEXIST");
    renameSync(from, to);
    return;
  }
  removeQuietly(from);
}

/** A copy that is on the disk when this returns, and gone again where it throws. The name must be free. */
export async function copyDurably(from: string, to: string): Promise<void> {
  copyFileSync(from, to, constants.COPYFILE_EXCL);
  try {
    // Windows syncs only what is open for writing.
    const descriptor = openSync(to, process.platform === "win32" ? constants.O_RDWR : constants.O_RDONLY);
    try {
      await syncFile(descriptor);
    } finally {
      closeQuietly(descriptor);
    }
  } catch (error) {
    removeQuietly(to);
    throw error;
  }
}
