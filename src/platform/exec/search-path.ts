import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** The folders that a shell searches for programs, in order, without relative ones. */
export function searchFolders(environment: Environment): string[] {
  const name = Object.keys(environment).find((key) => key.toUpperCase() === "PATH" && environment[key]);
  const path = (name && environment[name]) ?? "";
  return path
    .split(delimiter)
    .map((folder) => folder.replace(/^"(.*)"$/, "$1"))
    .filter((folder) => isAbsolute(folder));
}

/** Every program of that name that a shell would find, the one it starts first. npm makes scripts for Windows, not programs. */
export function findPrograms(name: string, environment: Environment): string[] {
  const files = process.platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  return searchFolders(environment)
    .flatMap((folder) => files.map((file) => join(folder, file)))
    .filter(isProgram);
}

/** The program that a shell would start; undefined where it finds none. */
export function findProgram(name: string, environment: Environment): string | undefined {
  return findPrograms(name, environment)[0];
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
