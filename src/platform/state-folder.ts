import { readdirSync, readFileSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { createFileOnce, ensurePrivateFolder, errorCode } from "./files.ts";

const ignoreFile = ".gitignore";
const ignoreAll = "*\n";

/** Makes the folder for a project's state, private and ignored by git, unless it is there. */
export function makeStateFolder(path: string): void {
  ensurePrivateFolder(path);
  createFileOnce(join(path, ignoreFile), ignoreAll, 0o644);
}

/** Removes a state folder that nothing was ever kept in; any other stays as it is. */
export function dropUnusedStateFolder(path: string): void {
  try {
    const names = readdirSync(path);
    if (names.length !== 1 || names[0] !== ignoreFile || readFileSync(join(path, ignoreFile), "utf8") !== ignoreAll)
      return;
    unlinkSync(join(path, ignoreFile));
    rmdirSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}
