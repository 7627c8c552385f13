import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { errorCode } from "../host/error-code.ts";

const maxFiles = 1000;

/**
 * Names of a project's files as arguments that no program reads as anything else: after `--`, and each beginning with `./`,
 * so that neither `--config=x`, `-r` nor `@file` means what it says. Only regular files that exist inside the folder.
 */
export function fileArguments(folder: string, names: readonly string[]): string[] {
  if (names.length > maxFiles)
    throw new ForgeError("VALIDATION_ERROR", `${names.length} files are too many; the limit is ${maxFiles}.`, {
      details: { most: maxFiles },
      next: ["Give fewer files, or none for all of them."],
    });
  const root = realpathSync.native(folder);
  return ["--", ...names.map((name) => `./${requireFile(root, name)}`)];
}

function requireFile(root: string, name: string): string {
  if (name === "" || name.includes("\0") || isAbsolute(name) || name.split(/[\\/]/).includes(".."))
    throw refusedName(name, "it is not a path inside the project");
  const path = join(root, name);
  try {
    if (!realpathSync.native(path).startsWith(root + sep)) throw refusedName(name, "it leads outside the project");
    if (!lstatSync(path).isFile()) throw refusedName(name, "it is not a regular file");
  } catch (error) {
    if (error instanceof ForgeError) throw error;
    throw refusedName(name, errorCode(error) === "ENOENT" ? "the file does not exist" : "it cannot be read");
  }
  return name;
}

function refusedName(name: string, why: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `"${name.slice(0, 256)}" cannot be used as a file name: ${why}.`, {
    details: { name: name.slice(0, 256) },
    next: ["Give paths of existing files, relative to the project's folder: src/main.test.ts."],
  });
}
