import { randomBytes } from "node:crypto";
import fs, { type PathLike, type RmOptions, renameSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join } from "node:path";
import { folderVariable, keptFolder } from "./canary-run.ts";

/**
 * Runs before each test file, of which one process runs many. Temporary folders that a test removes are set aside instead, to be searched after the run.
 * To the test they are gone.
 */
const { [folderVariable]: folder } = process.env;

const done = Symbol.for("forge.test.removals-set-aside");

if (folder && !Reflect.has(globalThis, done)) {
  Reflect.set(globalThis, done, true);
  const { rmSync } = fs;
  const { rm } = fs.promises;
  fs.rmSync = (path: PathLike, options?: RmOptions) => {
    if (!isPutAside(path, folder)) rmSync(path, options);
  };
  fs.promises.rm = async (path: PathLike, options?: RmOptions) => {
    if (!isPutAside(path, folder)) await rm(path, options);
  };
  syncBuiltinESMExports();
}

function isPutAside(path: PathLike, folder: string): boolean {
  if (typeof path !== "string" || dirname(path) !== folder) return false;
  try {
    renameSync(path, join(folder, keptFolder, `${randomBytes(4).toString("hex")}-${basename(path)}`));
    return true;
  } catch {
    return false;
  }
}
