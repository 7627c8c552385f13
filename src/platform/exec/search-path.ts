import { accessSync, constants, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { entryAt } from "../files/entry-at.ts";
import { realPathOf, realPlace } from "../files/real-place.ts";
import { isInside } from "../git/run/locate-repository.ts";
import { listWorkTreeRoots } from "../git/worktrees/work-tree-roots.ts";
import { userHome } from "../host/user-folder.ts";

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

/**
 * The same without those that the project in this folder could fill, by where they really lead, and the `node_modules/.bin` that
 * npm puts in front. One that does not exist is left out too: the project could still make it.
 */
export function searchFoldersOutside(environment: Environment, folder: string): string[] {
  const roots = listProjectRoots(folder);
  return searchFolders(environment).filter((name) => {
    const place = realPathOf(name);
    return place !== undefined && !isInsideAny(place, roots) && !/[\\/]node_modules[\\/]\.bin$/.test(place);
  });
}

function isInsideAny(place: string, roots: readonly string[]): boolean {
  return roots.some((root) => place === root || isInside(place, root));
}

/**
 * The folder, and the one that Forge was started in; the projects around them, such as a submodule's superproject; and all their
 * work trees. None that is the user's home, or around it: what the user installed is there.
 */
function listProjectRoots(folder: string): string[] {
  const home = realPlace(userHome());
  // Of a folder that was removed there is no place.
  const roots = new Set([realPlace(folder), realPathOf(".") ?? "/"]);
  const seen = new Set<string>();
  // Grows: a work tree's main one can itself be in another project.
  for (const root of roots)
    for (const place of [root, ...foldersAround(root)]) {
      // Then those around it were seen, too.
      if (seen.has(place)) break;
      seen.add(place);
      if (![".git", ".forge"].some((mark) => entryAt(join(place, mark)))) continue;
      for (const tree of [place, ...listWorkTrees(place)]) roots.add(tree);
    }
  return [...roots].filter((root) => !isInsideAny(home, [root]));
}

function foldersAround(folder: string): string[] {
  const around = dirname(folder);
  return around === folder ? [] : [around, ...foldersAround(around)];
}

function listWorkTrees(folder: string): string[] {
  try {
    return listWorkTreeRoots(folder).others;
  } catch {
    // A `.git` that leads astray is a project's all the same.
    return [];
  }
}

/**
 * Every program of that name that a shell would find, the one it starts first, and never one of the project in this folder. npm makes
 * scripts for Windows, not programs.
 */
export function findPrograms(name: string, environment: Environment, cwd = process.cwd()): string[] {
  const files = process.platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  return searchFoldersOutside(environment, cwd)
    .flatMap((folder) => files.map((file) => join(folder, file)))
    .filter(isProgram);
}

/** The program that a shell would start; undefined where it finds none. */
export function findProgram(name: string, environment: Environment, cwd?: string): string | undefined {
  return findPrograms(name, environment, cwd)[0];
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
