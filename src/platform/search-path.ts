import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Every program of that name on a PATH, the one a shell starts first. */
export function programsNamed(name: string, searchPath: string): string[] {
  const names = process.platform === "win32" ? [`${name}.cmd`, `${name}.exe`] : [name];
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).filter(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The file behind all links; the path itself where there is none. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
