import { constants, copyFileSync, linkSync, lstatSync, openSync, closeSync, renameSync, unlinkSync } from "node:fs";
import { errorCode } from "../files.ts";
import { removeQuietly } from "./drafts.ts";
import { systemError } from "./file-error.ts";
import { syncFile } from "./sync.ts";

/** What file systems without hard links say when asked for one. */
const noHardLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

export function replace(from: string, to: string): void {
  renameSync(from, to);
}

/** Gives a file its name unless the name is taken (EEXIST): of several who try, one wins. */
export function placeAnew(from: string, to: string): void {
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

/** The same from another disk: a full copy is there before the name is taken, and the original goes last. */
export async function placeCopy(from: string, draft: string, to: string): Promise<void> {
  try {
    copyFileSync(from, draft, constants.COPYFILE_EXCL);
    const descriptor = openSync(draft, constants.O_RDONLY);
    try {
      await syncFile(descriptor);
    } finally {
      closeSync(descriptor);
    }
    placeAnew(draft, to);
  } catch (error) {
    removeQuietly(draft);
    throw error;
  }
  unlinkSync(from);
}

export async function moveAnew(from: string, draft: string, to: string): Promise<void> {
  try {
    placeAnew(from, to);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    await placeCopy(from, draft, to);
  }
}
