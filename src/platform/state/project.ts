import { readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { locateRepository, looksLikeGitDir, type RepositoryLocation } from "../git/run/locate-repository.ts";
import { isOwnedByUser } from "../host/permissions.ts";
import { isStateFolder } from "./state-folder.ts";

export type Project = {
  /** The folder the assistant works on: the work tree, or the folder Forge was started in. */
  root: string;
  /** Where Forge keeps what it knows; shared by all work trees of a repository. */
  stateDir: string;
  databaseFile: string;
  inGit: boolean;
};

/** Whether there is a folder to work in, also behind a symbolic link. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/** Finds the project by a few looks at the file system. Creates nothing and opens no database. */
export function findProject(cwd: string): Project {
  const start = resolve(cwd);
  const repository = repositoryOf(start);
  if (repository) {
    const { workTree, mainWorkTree, commonDir } = repository;
    // A bare main repository has no work tree to keep a folder in.
    const stateDir = mainWorkTree === undefined ? join(commonDir, "forge") : join(mainWorkTree, ".forge");
    return project(workTree, stateDir, true);
  }
  if (looksLikeGitDir(start)) return project(start, join(start, "forge"), true);
  const root = folderWithState(start) ?? start;
  return project(root, join(root, ".forge"), false);
}

function project(root: string, stateDir: string, inGit: boolean): Project {
  return { root, stateDir, databaseFile: join(stateDir, "forge.db"), inGit };
}

/**
 * A `.git` that is refused makes this folder no repository for Forge; the git tools say why when asked. Another user's does
 * not count for a folder of ours: anyone who can write to /tmp could otherwise decide where the state of folders below it is.
 */
function repositoryOf(path: string): RepositoryLocation | undefined {
  try {
    const found = locateRepository(path);
    return found && (belongsToUs(found) || !isOwnedByUser(path)) ? found : undefined;
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}

function belongsToUs({ workTree, gitDir, commonDir }: RepositoryLocation): boolean {
  return [join(workTree, ".git"), gitDir, commonDir].every(isOwnedByUser);
}

/** Outside git, the nearest folder upwards that Forge was used in. The home folder's `.forge` is the user's, no project's. */
function folderWithState(start: string): string | undefined {
  const home = homedir();
  for (let folder = start; ; folder = dirname(folder)) {
    if ((folder === start || folder !== home) && hasState(join(folder, ".forge"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Another user's folder does not count: anyone who can write to /tmp could otherwise collect what is recorded below it. */
function hasState(stateDir: string): boolean {
  if (!isStateFolder(stateDir)) return false;
  try {
    return readdirSync(stateDir).some((name) => name === "forge.db" || name.startsWith("config"));
  } catch {
    return false;
  }
}
