import { delimiter, join, normalize } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { isInsideAny, isProgram, searchFolders } from "../../exec/search-path.ts";
import { realPathOf } from "../../files/real-place.ts";
import { listWorkTreeRoots } from "../worktrees/work-tree-roots.ts";

export type Program = { path: string; searchPath: string };

/**
 * The git to use for a work tree, by absolute path, and the PATH it gets. Folders the project could fill are left out of
 * both: relative ones, those inside a work tree of the repository, and the `node_modules/.bin` that npm puts in front.
 */
export function findGit(environment: Record<string, string>, workTree: string): Program {
  const { root, others } = listWorkTreeRoots(workTree);
  const trees = [workTree, root, ...others];
  const folders = searchFolders(environment).filter((folder) => isOutside(folder, trees));
  const name = process.platform === "win32" ? "git.exe" : "git";
  const path = folders.map((folder) => join(folder, name)).find(isProgram);
  if (path) return { path, searchPath: folders.join(delimiter) };
  throw new ForgeError("DEPENDENCY_ERROR", "git was not found on the PATH that Forge was started with.", {
    details: { program: name },
    next: [
      "Install git (https://git-scm.com), or add its folder to PATH, and restart Forge.",
      "Tools that do not need the repository work without it.",
    ],
  });
}

/** False as well for a folder that does not exist: the project could still make it. */
function isOutside(folder: string, trees: readonly string[]): boolean {
  const place = realPathOf(folder);
  if (place === undefined || isInsideAny(place, trees)) return false;
  return !place.endsWith(normalize("/node_modules/.bin"));
}
