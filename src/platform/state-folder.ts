import { readdirSync, readFileSync, rmdirSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { ForgeError } from "../kernel/errors.ts";
import { errorCode } from "./error-code.ts";
import { removeOldDraftsIn } from "./files/drafts.ts";
import { entryAt } from "./files/entry.ts";
import { ensurePrivateFolder, syncNames } from "./files/private-folder.ts";
import { createFileOnce } from "./files/small-file.ts";

const ignoreFile = ".gitignore";
const ignoreAll = "*\n";

/**
 * Makes the folder for a project's state, private and ignored by git, unless it is there. Everything that keeps something in
 * it begins here. A link is refused: a repository may bring one that leads out of the project.
 */
export function makeStateFolder(path: string): void {
  ensurePrivateFolder(path);
  if (!isStateFolder(path)) throw wrongKind(path, "folder");
  removeOldDraftsIn(path);
  if (createFileOnce(join(path, ignoreFile), ignoreAll, 0o644)) syncNames(path);
}

/** False where there is none, and where a link or something else has its name. */
export function isStateFolder(path: string): boolean {
  return entryAt(path)?.isDirectory() ?? false;
}

/** Removes a state folder that nothing was ever kept in; any other stays as it is. */
export function dropUnusedStateFolder(path: string): void {
  if (!isStateFolder(path)) return;
  try {
    const names = readdirSync(path);
    const file = join(path, ignoreFile);
    if (names.length !== 1 || !entryAt(file)?.isFile() || readFileSync(file, "utf8") !== ignoreAll) return;
    unlinkSync(file);
    rmdirSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** For what stands where Forge's own should be. */
export function wrongKind(path: string, expected: "file" | "folder"): ForgeError {
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
