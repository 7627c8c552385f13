import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { entryAt } from "../files/entry-at.ts";
import { realPathOf, realPlace } from "../files/real-place.ts";
import { isInside, locateRepository } from "../git/run/locate-repository.ts";
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
 * The same without those that the project in this folder could fill, by where they really lead: its work trees, all of them, and
 * the `node_modules/.bin` that npm puts in front.
 */
function searchFoldersOutside(environment: Environment, cwd: string): string[] {
  const roots = findProjectRoots(cwd);
  return searchFolders(environment).filter((folder) => {
    const place = realPathOf(folder);
    return place !== undefined && !isInsideAny(place, roots) && !/[\\/]node_modules[\\/]\.bin$/.test(place);
  });
}

/** A PATH for programs of Forge's own choice that look at a project: nothing in the project's folder is one of them. */
export function searchPathOutside(environment: Environment, root: string): string {
  const place = realPlace(root);
  const isAround = isInsideAny(realPlace(userHome()), [place]);
  const folders = searchFoldersOutside(environment, root);
  return folders.filter((folder) => isAround || !isInsideAny(realPlace(folder), [place])).join(delimiter);
}

export function isInsideAny(place: string, roots: readonly string[]): boolean {
  return roots.some((root) => place === root || isInside(place, root));
}

/** None where the folder is the user's home, or around it: what the user installed is there. */
function findProjectRoots(cwd: string): string[] {
  const home = realPlace(userHome());
  return listProjectRoots(cwd).filter((place) => !isInsideAny(home, [place]));
}

function listProjectRoots(cwd: string): string[] {
  try {
    const repository = locateRepository(cwd);
    if (!repository) return entryAt(join(cwd, ".forge")) ? [realPlace(cwd)] : [];
    const { root, others } = listWorkTreeRoots(repository.workTree);
    return [root, ...others];
  } catch {
    // A `.git` that leads astray is a project's all the same.
    return [realPlace(cwd)];
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
