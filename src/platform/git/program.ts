import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, normalize } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { isInside } from "./locate.ts";

export type Program = { path: string; searchPath: string };

/**
 * The git to use for a work tree, by absolute path, and the PATH it gets. Folders the project could fill are left out of
 * both: relative ones, those inside the work tree, and the `node_modules/.bin` that npm puts in front.
 */
export function findGit(environment: Record<string, string>, workTree: string): Program {
  const folders = searchPathOf(environment)
    .split(delimiter)
    .map(unquote)
    .filter((folder) => isAbsolute(folder) && isOutside(folder, workTree));
  const name = process.platform === "win32" ? "git.exe" : "git";
  for (const folder of folders) {
    const path = join(folder, name);
    if (isExecutable(path)) return { path, searchPath: folders.join(delimiter) };
  }
  throw new ForgeError("DEPENDENCY_ERROR", "git was not found on the PATH of the process that started Forge.", {
    details: { program: name },
    suggestions: [
      "Install git (https://git-scm.com), or add its folder to PATH, and restart Forge.",
      "Tools that do not look at the repository work without it.",
    ],
  });
}

function searchPathOf(environment: Record<string, string>): string {
  const name = Object.keys(environment).find((key) => key.toUpperCase() === "PATH");
  return (name && environment[name]) ?? "";
}

function unquote(folder: string): string {
  return folder.replace(/^"(.*)"$/, "$1");
}

/** False as well for a folder that does not exist: the project could still make it. */
function isOutside(folder: string, workTree: string): boolean {
  try {
    const place = realpathSync.native(folder);
    return place !== workTree && !isInside(place, workTree) && !place.endsWith(normalize("/node_modules/.bin"));
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
