import { closeSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { entryAt } from "../../files/entry-at.ts";
import { placeNew } from "../../files/root/place-file.ts";
import { draftName, removeQuietly } from "../../files/write/drafts.ts";
import { syncNames } from "../../files/write/private-folder.ts";
import { errorCode } from "../../host/error-code.ts";
import { isAccessibleToOthers, isOwnedByOther, restrictToOwner } from "../../host/permissions.ts";
import { makeStateFolder, notOurs, wrongKind } from "../../state/state-folder.ts";
import { Damage } from "./damage.ts";
import { refuseSuperJournal } from "./journal.ts";
import type { SqliteHandle, SqliteLibrary } from "./library.ts";
import { applicationId } from "./schema.ts";

const minPageBytes = 512;
const companionSuffixes = ["-wal", "-shm", "-journal"];

/**
 * Makes the place for the database: the state folder, and a private file in it. What is there stays as it is, only closed to
 * others. Links are refused: a repository may bring one that leads out of the project.
 */
export function prepareFile(library: SqliteLibrary, file: string): void {
  makeStateFolder(dirname(file));
  refuseTraps(file);
  for (const path of filesOf(file)) if (isOwnedByOther(path)) throw notOurs(path);
  // By name, not through a descriptor: closing one would drop the locks that this process holds on the file.
  for (const path of filesOf(file)) if (isAccessibleToOthers(path)) restrictToOwner(path);
  refuseIncomplete(file);
  if (!entryAt(file)) createDatabaseFile(library, file);
}

/** SQLite takes what is shorter than its smallest page for a new database: it would write over it, and remove its log. */
export function refuseIncomplete(file: string): void {
  const size = entryAt(file)?.size;
  if (size === undefined) {
    if (!hasContent(`${file}-wal`)) return;
    throw new Damage("it is missing, but its log, the file beside it that ends in -wal, is still there");
  }
  if (size === 0) throw new Damage("it is empty (0 bytes), and Forge never writes an empty file");
  if (size < minPageBytes) throw new Damage(`it has only ${size} bytes`);
}

/**
 * A connection that does not bring the log into the file when it is closed, as the last one of others does: what may be
 * damaged stays as it is. A journal must be played back before anybody can read.
 */
export function openForInspection(library: SqliteLibrary, file: string): SqliteHandle {
  const readOnly = hasContent(`${file}-wal`) && !hasContent(`${file}-journal`);
  return new library.DatabaseSync(file, { readOnly });
}

export function hasContent(path: string): boolean {
  return (entryAt(path)?.size ?? 0) > 0;
}

/** For what does harm as soon as SQLite opens the file, even to read it. Changes nothing. */
export function refuseTraps(file: string): void {
  for (const path of filesOf(file)) {
    const entry = entryAt(path);
    if (entry && !entry.isFile()) throw wrongKind(path, "file");
  }
  refuseSuperJournal(`${file}-journal`);
}

function filesOf(file: string): string[] {
  return [file, ...companionSuffixes.map((end) => file + end)];
}

/**
 * The file appears with its first page in it, so that an empty one is never Forge's doing. SQLite gives the files beside it
 * the same permissions.
 */
function createDatabaseFile(library: SqliteLibrary, file: string): void {
  const draft = join(dirname(file), draftName());
  try {
    closeSync(openSync(draft, "wx", 0o600));
    const handle = new library.DatabaseSync(draft);
    try {
      handle.exec(`pragma journal_mode = memory; pragma application_id = ${applicationId}`);
    } finally {
      handle.close();
    }
    placeNew(draft, file);
    syncNames(dirname(file));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    removeQuietly(draft);
  }
}
