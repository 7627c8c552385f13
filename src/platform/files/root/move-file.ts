import { lstatSync, renameSync, unlinkSync } from "node:fs";
import { errorCode } from "../../host/error-code.ts";
import { isSameFile } from "../entry-stats.ts";
import { systemError } from "../file-error.ts";
import { draftName, removeQuietly } from "../write/drafts.ts";
import type { Place } from "../write/durable-write.ts";
import type { OpenedEntry } from "./file-opener.ts";
import { copyDurably, placeNew } from "./place-file.ts";

function pathOf({ opening, folder, name }: Place): string {
  return opening.pathIn(folder, name);
}

/**
 * Moves the file that was looked at to a fresh name, also to another disk. Where the name has come to stand for another
 * file meanwhile, that one stays where it is and this fails with EBUSY.
 */
export async function moveFound(found: OpenedEntry, from: Place, to: Place): Promise<void> {
  const [source, target] = [pathOf(from), pathOf(to)];
  try {
    renameSync(source, target);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    return await moveByCopy(found, from, target);
  }
  if (isAt(target, found)) return;
  placeNew(target, source);
  throw systemError("EBUSY");
}

async function moveByCopy(found: OpenedEntry, from: Place, target: string): Promise<void> {
  await copyDurably(from.opening.pathIn(found), target);
  try {
    if (!isAt(pathOf(from), found)) throw systemError("EBUSY");
    unlinkSync(pathOf(from));
  } catch (error) {
    removeQuietly(target);
    throw error;
  }
}

/** Gives a file another place under a name that must be free (EEXIST), also on another disk. */
export async function moveToNew(source: string, to: Place): Promise<void> {
  try {
    placeNew(source, pathOf(to));
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    const draft = to.opening.pathIn(to.folder, draftName());
    await copyDurably(source, draft);
    try {
      placeNew(draft, pathOf(to));
    } finally {
      removeQuietly(draft);
    }
  }
}

/** What cannot be looked at is not taken for the same. */
function isAt(path: string, found: OpenedEntry): boolean {
  try {
    return isSameFile(lstatSync(path, { bigint: true }), found.stats);
  } catch {
    return false;
  }
}
