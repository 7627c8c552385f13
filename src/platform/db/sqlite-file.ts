import { closeSync, openSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { createFileOnce, ensurePrivateFolder, entryAt, errorCode } from "../files.ts";
import { damaged } from "./sqlite-errors.ts";

const smallestPage = 512;

/**
 * Makes the place for the database: a private folder that git ignores, and a private file in it. What is there stays as it
 * is. Links are refused: a repository may bring one that leads out of the project.
 */
export function prepareFile(file: string): void {
  const folder = dirname(file);
  const found = entryAt(folder);
  if (found && !found.isDirectory()) throw wrongKind(folder, "folder");
  if (!found) ensurePrivateFolder(folder);
  createFileOnce(join(folder, ".gitignore"), "*\n", 0o644);
  const database = entryAt(file);
  if (database && !database.isFile()) throw wrongKind(file, "file");
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

function wrongKind(path: string, expected: "file" | "folder"): ForgeError {
  const kind = entryAt(path)?.isSymbolicLink() ? "a symbolic link" : `no ${expected}`;
  return new ForgeError(
    "STORE_ERROR",
    `${path} is ${kind}; Forge keeps its data in a plain ${expected} of that name.`,
    {
      details: { path, expected },
      suggestions: [`Move ${basename(path)} to another name; Forge then makes its own ${expected}.`],
    },
  );
}
