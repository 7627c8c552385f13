import { randomBytes } from "node:crypto";
import fs, { type PathLike, type RmOptions, renameSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join } from "node:path";
import { seedVariable } from "./canary.ts";
import { findingsFile, folderVariable, keptFolder } from "./canary-run.ts";
import { findCanaries } from "./canary-search.ts";

/**
 * Runs before each test file, of which one process runs many. Temporary folders that a test removes are set aside and searched
 * before they are gone. To the test they are gone at once.
 */
const { [folderVariable]: folder, [seedVariable]: prefix = "" } = process.env;

const done = Symbol.for("forge.test.removals-set-aside");

if (folder && !Reflect.has(globalThis, done)) {
  Reflect.set(globalThis, done, true);
  const { rmSync } = fs;
  const { rm } = fs.promises;
  const searchAndRemove = (kept: string) => {
    const found = findCanaries(kept, prefix);
    if (found.length > 0) fs.appendFileSync(join(folder, findingsFile), `${found.join("\n")}\n`);
    try {
      rmSync(kept, { recursive: true, force: true });
    } catch {
      // A program still writes there: it is searched again after the run.
    }
  };
  fs.rmSync = (path: PathLike, options?: RmOptions) => {
    const kept = putAside(path, folder);
    if (kept === undefined) rmSync(path, options);
    else searchAndRemove(kept);
  };
  fs.promises.rm = async (path: PathLike, options?: RmOptions) => {
    const kept = putAside(path, folder);
    if (kept === undefined) await rm(path, options);
    else searchAndRemove(kept);
  };
  syncBuiltinESMExports();
}

function putAside(path: PathLike, folder: string): string | undefined {
  if (typeof path !== "string" || dirname(path) !== folder) return undefined;
  const kept = join(folder, keptFolder, `${randomBytes(4).toString("hex")}-${basename(path)}`);
  try {
    renameSync(path, kept);
    return kept;
  } catch {
    return undefined;
  }
}
