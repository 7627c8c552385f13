import { readdirSync, readFileSync, rmdirSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { entryAt } from "../files/entry-at.ts";
import { createFileOnce } from "../files/small-file.ts";
import { removeOldDraftsIn } from "../files/write/drafts.ts";
import { ensurePrivateFolder, syncNames } from "../files/write/private-folder.ts";
import { errorCode } from "../host/error-code.ts";
import { isOwnedByUser } from "../host/permissions.ts";

const ignoreFile = ".gitignore";
const ignoreAll = "*\n";

/**
 * Makes the folder for a project's state, private and ignored by git, unless it is there. Everything that keeps something in
 * it begins here. A link is refused: a repository may bring one that leads out of the project.
 */
export function makeStateFolder(path: string): void {
  const entry = entryAt(path);
  if (!entry) refuseAsGuest(dirname(path));
  ensurePrivateFolder(path);
  if (entryAt(path)?.isDirectory() !== true) throw wrongKind(path, "folder");
  if (!isOwnedByUser(path)) throw notOurs(path);
  removeOldDraftsIn(path);
  if (createFileOnce(join(path, ignoreFile), ignoreAll, 0o644)) syncNames(path);
}

/** False where there is none, where a link or something else has its name, and where it is another user's. */
export function isStateFolder(path: string): boolean {
  return entryAt(path)?.isDirectory() === true && isOwnedByUser(path);
}

/** Root may write anywhere; what it left in a person's project, that person could not use any more. */
function refuseAsGuest(folder: string): void {
  if (process.getuid?.() === 0 && entryAt(folder) && !isOwnedByUser(folder)) throw notOurs(folder);
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

/** For what another user could fill with whatever suits them, and read. */
export function notOurs(path: string): ForgeError {
  return new ForgeError("STORE_ERROR", `${path} belongs to another user, so Forge stores nothing there.`, {
    details: { path, expected: "owned by the user who runs Forge" },
    next: ["Run Forge as the user who owns the project, or work in your own copy of the project."],
  });
}

/** For something else in the place of Forge's own file or folder. */
export function wrongKind(path: string, expected: "file" | "folder"): ForgeError {
  const kind = entryAt(path)?.isSymbolicLink() ? "a symbolic link" : `not a ${expected}`;
  return new ForgeError("STORE_ERROR", `${path} is ${kind}; Forge needs a regular ${expected} there.`, {
    details: { path, expected },
    next: [`Rename ${basename(path)}. Forge then creates its own ${expected}.`],
  });
}
