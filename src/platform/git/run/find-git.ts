import { delimiter, join } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { isProgram, searchFoldersOutside } from "../../exec/search-path.ts";

export type Program = { path: string; searchPath: string };

/** The git to use for a work tree, by absolute path, and the PATH it gets: neither has folders that the project could fill. */
export function findGit(environment: Record<string, string>, workTree: string): Program {
  const folders = searchFoldersOutside(environment, workTree);
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
