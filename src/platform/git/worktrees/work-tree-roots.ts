import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { realPathOf } from "../../files/real-place.ts";
import { locateRepository, readGitLine } from "../run/locate-repository.ts";

export type WorkTreeRoots = {
  root: string;
  /** Of the other work trees of the same repository that exist now. */
  others: string[];
  /** The main work tree, where the root is a linked one. */
  main: string | undefined;
};

const maxWorkTrees = 1_000;

/** The work trees of the repository that a folder belongs to, as git's own files name them: no process is started. */
export function listWorkTreeRoots(folder: string): WorkTreeRoots {
  const root = realPathOf(folder) ?? folder;
  const repository = locateRepository(root);
  if (!repository) return { root, others: [], main: undefined };
  const { workTree, commonDir, mainWorkTree } = repository;
  const linked = listQuietly(join(commonDir, "worktrees"))
    .slice(0, maxWorkTrees)
    .flatMap((name) => readLinkedRoot(join(commonDir, "worktrees", name)));
  const all = [...(mainWorkTree === undefined ? [] : [mainWorkTree]), ...linked];
  const others = [...new Set(all)].filter((place) => place !== workTree && place !== root);
  return { root, others, main: mainWorkTree === workTree ? undefined : mainWorkTree };
}

/** `gitdir` names the `.git` file of the work tree. */
function readLinkedRoot(gitDir: string): string[] {
  try {
    const named = readGitLine(join(gitDir, "gitdir"));
    if (!named) return [];
    const root = realPathOf(dirname(isAbsolute(named) ? named : resolve(gitDir, named)));
    return root === undefined ? [] : [root];
  } catch {
    return [];
  }
}

function listQuietly(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
