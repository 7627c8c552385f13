import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../error-code.ts";
import { entryAt } from "../files/entry.ts";
import { closeToOthers, isOpenToOthers, isOurs } from "../permissions.ts";
import { makeStateFolder, notOurs, wrongKind } from "../state-folder.ts";
import { damaged } from "./sqlite-errors.ts";
import { refuseSuperJournal } from "./sqlite-journal.ts";

const smallestPage = 512;
const besides = ["-wal", "-shm", "-journal"];

/**
 * Makes the place for the database: the state folder, and a private file in it. What is there stays as it is, only closed to
 * others. Links are refused: a repository may bring one that leads out of the project.
 */
export function prepareFile(file: string): void {
  makeStateFolder(dirname(file));
  refuseTraps(file);
  const present = filesOf(file).filter(entryAt);
  for (const path of present) if (!isOurs(path)) throw notOurs(path);
  // By name, not through a descriptor: closing one would drop the locks that this process holds on the file.
  for (const path of present) if (isOpenToOthers(path)) closeToOthers(path);
  const database = entryAt(file);
  if (!database) createEmpty(file);
  // SQLite takes anything shorter than its smallest page for empty and would write over it.
  else if (database.size > 0 && database.size < smallestPage) throw damaged(file);
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
  return [file, ...besides.map((end) => file + end)];
}

/** SQLite takes an empty file for a fresh database and gives the files beside it the same permissions. */
function createEmpty(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
