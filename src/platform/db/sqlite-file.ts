import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../error-code.ts";
import { entryAt } from "../files/entry.ts";
import { makeStateFolder, wrongKind } from "../state-folder.ts";
import { damaged } from "./sqlite-errors.ts";

const smallestPage = 512;
const besides = ["-wal", "-shm", "-journal"];

/**
 * Makes the place for the database: the state folder, and a private file in it. What is there stays as it is. Links are
 * refused: a repository may bring one that leads out of the project.
 */
export function prepareFile(file: string): void {
  makeStateFolder(dirname(file));
  for (const path of [file, ...besides.map((end) => file + end)]) {
    const entry = entryAt(path);
    if (entry && !entry.isFile()) throw wrongKind(path, "file");
  }
  const database = entryAt(file);
  if (!database) createEmpty(file);
  // SQLite takes anything shorter than its smallest page for empty and would write over it.
  else if (database.size > 0 && database.size < smallestPage) throw damaged(file);
}

/** SQLite takes an empty file for a fresh database and gives the files beside it the same permissions. */
function createEmpty(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
