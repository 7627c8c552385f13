import { lstatSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { realPathOf } from "../../files/real-place.ts";

/** Where a repository's parts are; every path is absolute and free of symbolic links. */
export type RepositoryLocation = {
  workTree: string;
  gitDir: string;
  /** What all work trees of the repository share; `gitDir` itself unless this is a linked work tree. */
  commonDir: string;
  /** The folder that holds the main `.git`; undefined where the main repository is bare or a submodule's. */
  mainWorkTree: string | undefined;
};

const maxGitFileBytes = 8192;

/**
 * The repository a path is in, from plain file reads: no git process, so a hostile repository has no say in it.
 * Undefined outside a repository. Throws a ForgeError if `.git` leads somewhere it must not: a crafted `.git` must never make
 * another project look like this one.
 */
export function locateRepository(path: string): RepositoryLocation | undefined {
  const start = realPathOf(path);
  if (start === undefined) return undefined;
  for (let folder = start; ; folder = dirname(folder)) {
    const found = repositoryAt(folder);
    if (found) return found;
    if (dirname(folder) === folder) return undefined;
  }
}

/** True for a folder that is itself a git directory: a bare repository, or the inside of `.git`. */
export function looksLikeGitDir(folder: string): boolean {
  return isHead(join(folder, "HEAD")) && isFolder(join(folder, "objects")) && isFolder(join(folder, "refs"));
}

function repositoryAt(workTree: string): RepositoryLocation | undefined {
  const dotGit = join(workTree, ".git");
  const entry = lstatOf(dotGit);
  if (!entry) return undefined;
  if (entry.isSymbolicLink()) throw refusedRepository(dotGit, "is a symbolic link");
  if (entry.isFile()) return readGitFile(workTree, dotGit);
  if (!entry.isDirectory()) return undefined;
  if (lstatOf(join(dotGit, "commondir")))
    throw refusedRepository(dotGit, "borrows another repository's directory (commondir)");
  // As git does: a folder named .git that is not a repository is ignored.
  if (!looksLikeGitDir(dotGit)) return undefined;
  return { workTree, gitDir: dotGit, commonDir: dotGit, mainWorkTree: workTree };
}

function readGitFile(workTree: string, dotGit: string): RepositoryLocation {
  const target = /^gitdir: (.+)$/s.exec(readGitLine(dotGit) ?? "")?.[1];
  if (target === undefined) throw refusedRepository(dotGit, "is a file that does not name a git directory");
  const gitDir = realPathOf(resolve(workTree, target));
  if (gitDir === undefined) throw refusedRepository(dotGit, "names a git directory that does not exist");
  const common = readGitLine(join(gitDir, "commondir"));
  return common === undefined
    ? submodule(workTree, dotGit, gitDir)
    : linkedWorkTree(workTree, dotGit, gitDir, realPathOf(resolve(gitDir, common)));
}

/** Only the main repository can write below its own `worktrees/`, so its back-link is the proof that it knows this work tree. */
function linkedWorkTree(
  workTree: string,
  dotGit: string,
  gitDir: string,
  commonDir: string | undefined,
): RepositoryLocation {
  if (commonDir === undefined || dirname(gitDir) !== join(commonDir, "worktrees") || !looksLikeGitDir(commonDir))
    throw refusedRepository(dotGit, "names a git directory that is not among its repository's work trees");
  const backLink = readGitLine(join(gitDir, "gitdir"));
  if (backLink === undefined || realPathOf(resolve(gitDir, backLink)) !== dotGit)
    throw refusedRepository(dotGit, "names a work tree entry that belongs to another folder", [
      "If the work tree was moved, run `git worktree repair` in it.",
    ]);
  const mainWorkTree = basename(commonDir) === ".git" ? dirname(commonDir) : undefined;
  return { workTree, gitDir, commonDir, mainWorkTree };
}

/** A submodule's git directory is kept in its superproject's `modules/`; the superproject is around the submodule. */
function submodule(workTree: string, dotGit: string, gitDir: string): RepositoryLocation {
  const around = dirname(workTree) === workTree ? undefined : locateRepository(dirname(workTree));
  if (!around || !isInside(gitDir, join(around.gitDir, "modules")) || !looksLikeGitDir(gitDir))
    throw refusedRepository(dotGit, "leads to a git directory outside this folder");
  return { workTree, gitDir, commonDir: gitDir, mainWorkTree: workTree };
}

/** True where `path` is below `folder`; both absolute and without symbolic links. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

export function refusedRepository(dotGit: string, why: string, next: string[] = []): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${dotGit} ${why}. Forge only reads repositories that are in their own folder.`,
    {
      details: { path: dotGit },
      next: [
        ...next,
        "Use a clone with a normal .git folder, a work tree created by `git worktree add`, or a submodule in its superproject.",
      ],
    },
  );
}

function lstatOf(path: string) {
  return quietly(() => lstatSync(path, { throwIfNoEntry: false }));
}

function isFolder(path: string): boolean {
  return quietly(() => statSync(path, { throwIfNoEntry: false })?.isDirectory()) ?? false;
}

/** HEAD names a ref or a commit; as a dangling symbolic link (an old form) it names one too. */
function isHead(path: string): boolean {
  if (lstatOf(path)?.isSymbolicLink()) return true;
  return /^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(readGitLine(path) ?? "");
}

/**
 * A small file's text without its line ends; undefined where there is nothing. What git could read differently than this does (a
 * link, a long file, bytes that are not UTF-8) is an empty text, which names nothing: git would find another repository.
 */
export function readGitLine(path: string): string | undefined {
  const entry = lstatOf(path);
  if (!entry) return undefined;
  const text = quietly(() => {
    if (!entry.isFile() || entry.size > maxGitFileBytes) return undefined;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  });
  return text?.replace(/(?<![\r\n])[\r\n]+$/, "") ?? "";
}

/** What cannot be read counts as absent: git's own error then says why. */
function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
