import { closeSync, openSync, renameSync, type Stats, statfsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { entryAt } from "../../files/entry-at.ts";
import { systemError } from "../../files/file-error.ts";
import { placeNew } from "../../files/root/place-file.ts";
import { draftName, removeOldDraftsIn, removeQuietly } from "../../files/write/drafts.ts";
import { ensurePrivateFolder, syncNames } from "../../files/write/private-folder.ts";
import { errorCode } from "../../host/error-code.ts";
import { isAccessibleToOthers, restrictToOwner } from "../../host/permissions.ts";
import { isStateFolder } from "../../state/state-folder.ts";
import { copyInto } from "./held-file.ts";

const maxCopyBytes = 1_073_741_824;

/** A reason to make no copy that is in no system's list. */
export class CopyRefused extends Error {}

/** Copies a database, read by its descriptor, and its log into a private folder beside it; returns where. */
export async function makeCopy(file: string, entry: Stats, descriptor: number, folder: string): Promise<string> {
  const log = logBeside(file);
  const size = entry.size + (log?.size ?? 0);
  refuseLarge(size);
  makeFolder(folder);
  if (freeBytesIn(folder) < size) throw systemError("ENOSPC");
  const drafts = { database: join(folder, draftName()), log: join(folder, draftName()) };
  try {
    const sha256 = await copyInto(drafts.database, descriptor);
    // By the file's own time, so that processes that meet it at the same moment choose the same name and one of them wins.
    const copy = join(folder, `${basename(file, ".db")}-${timeOf(entry)}-${shortHash(sha256)}.db`);
    if (log) {
      await copyLog(log.path, drafts.log);
      renameSync(drafts.log, `${copy}-wal`);
    }
    placeIfNew(drafts.database, copy);
    syncNames(folder);
    return copy;
  } finally {
    for (const draft of Object.values(drafts)) removeQuietly(draft);
  }
}

export function refuseLarge(size: number): void {
  if (size > maxCopyBytes) throw new CopyRefused(`it is larger than ${maxCopyBytes} bytes`);
}

export function shortHash(sha256: string): string {
  return sha256.slice(0, 12);
}

function logBeside(file: string): { path: string; size: number } | undefined {
  const path = `${file}-wal`;
  const entry = entryAt(path);
  return entry?.isFile() && entry.size > 0 ? { path, size: entry.size } : undefined;
}

/** SQLite takes no locks on the log, so this one may be closed. */
async function copyLog(log: string, draft: string): Promise<void> {
  const descriptor = openSync(log, "r");
  try {
    await copyInto(draft, descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function placeIfNew(draft: string, copy: string): void {
  try {
    placeNew(draft, copy);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

function makeFolder(folder: string): void {
  if (!isStateFolder(dirname(folder))) throw new CopyRefused(`${dirname(folder)} does not belong to this user`);
  ensurePrivateFolder(folder);
  if (!isStateFolder(folder)) throw new CopyRefused(`${folder} does not belong to this user`);
  if (isAccessibleToOthers(folder)) restrictToOwner(folder);
  removeOldDraftsIn(folder);
}

function freeBytesIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** As in 20260131T235959Z. A file's time can be anything, also one that no calendar has. */
function timeOf({ mtimeMs }: Stats): string {
  const inCalendar = Math.min(Math.max(mtimeMs, 0), Date.UTC(9999, 0));
  return `${new Date(inCalendar).toISOString().slice(0, 19).replaceAll("-", "").replaceAll(":", "")}Z`;
}
