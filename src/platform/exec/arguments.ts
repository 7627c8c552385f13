import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { errorCode } from "../host/error-code.ts";

const most = 1000;

/**
 * Names of a project's files as arguments that no program reads as anything else: after `--`, and each beginning with `../`,
 * so that neither `--config=x`, `-r` nor `@file` means what it says. Only regular files that exist inside the folder.
 */
export function fileArguments(folder: string, names: readonly string[]): string[] {
  if (names.length > most)
    throw new ForgeError("VALIDATION_ERROR", `${names.length} files are too many; at most ${most} can be named.`, {
      details: { most },
      next: ["Name fewer files, or none to mean all of them."],
    });
  const root = realpathSync.native(folder);
  return ["--", ...names.map((name) => `./${requireFile(root, name)}`)];
}

function requireFile(root: string, name: string): string {
  if (name === "" || name.includes("\0") || isAbsolute(name) || name.split(/[\\/]/).includes(".."))
    throw refused(name, "it is not a path inside the project");
  const path = join(root, name);
  try {
    if (!realpathSync.native(path).startsWith(root + sep)) throw refused(name, "it leads out of the project");
    if (!lstatSync(path).isFile()) throw refused(name, "it is not a regular file");
  } catch (error) {
    if (error instanceof ForgeError) throw error;
    throw refused(name, errorCode(error) === "ENOENT" ? "there is no such file" : "it cannot be looked at");
  }
  return name;
}

function refused(name: string, why: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `"${name.slice(0, 256)}" cannot be used as a file name: ${why}.`, {
    details: { name: name.slice(0, 256) },
    next: ["Name existing files by their paths from the project's folder, such as src/main.test.ts."],
  });
}
