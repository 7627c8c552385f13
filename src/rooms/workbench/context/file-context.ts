import { exportedNames } from "../../../commons/code-index/exported-names.ts";
import { importsOf } from "../../../commons/code-index/imports.ts";
import { languageOf } from "../../../commons/code-index/languages.ts";
import { bareName, folderOf, isTestFile, ProjectIndex } from "../../../commons/code-index/project-index.ts";
import { resolved } from "../../../commons/code-index/resolve-import.ts";
import { visible } from "../../../kernel/visible.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Git } from "../../../platform/git/git.ts";
import { filesUnder } from "../files/list-files.ts";
import { placeIn } from "../files/path-status.ts";
import { limits } from "../model/limits.ts";
import { isForeign, repositoryAt, walkFiles } from "../project/project-files.ts";
import { Reader } from "./source-reader.ts";

const most = { imports: 40, exported: 60, importedBy: 20, tests: 10, read: 150 } as const;
const separator = "%x00";

export type FileContext = {
  language?: string;
  imports: string[];
  exported: string[];
  /** Of the files nearby, as far as was looked. */
  imported_by: string[];
  tests: string[];
  last_commit?: { commit: string; author: string; date: string; subject: string };
};

type Options = {
  signal: AbortSignal;
  /** Where the root is and the git to ask; without it the files are found by a look around, and no commit is told. */
  repository?: { git: Git; path: string };
};

/** What there is to know about a file besides its content; `content` is all of it. */
export async function fileContext(
  root: SafeRoot,
  path: string,
  content: string,
  { signal, repository }: Options,
): Promise<FileContext> {
  const known = repository && repositoryAt(repository.git, repository.path) ? repository : undefined;
  const files = known
    ? await filesUnder(known.git, { path: known.path }, "", { ignored: false, signal })
    : await walkFiles(root, signal);
  const index = new ProjectIndex(
    files.filter((one) => one === path || !isForeign(one)),
    await goModules(root, files, path, signal),
  );
  const imports = importsOf(path, content);
  const users = await importersOf(root, path, index, signal);
  const sameName = index.files.filter((other) => isTestOf(other, path));
  const tests = new Set([...sameName, ...users.filter(isTestFile)]);
  const language = languageOf(path)?.name;
  const commit = known && (await lastCommit(known, path, signal));
  return {
    ...(language !== undefined && { language }),
    imports: imports.slice(0, most.imports).map(shownText),
    exported: exportedNames(path, content).slice(0, most.exported).map(visible),
    imported_by: users.slice(0, most.importedBy).map(shownText),
    tests: [...tests].slice(0, most.tests).map(shownText),
    ...(commit && { last_commit: commit }),
  };
}

function shownText(text: string): string {
  return visible(text).slice(0, limits.path);
}

function isTestOf(other: string, path: string): boolean {
  return other !== path && isTestFile(other) && bareName(other) === bareName(path);
}

/** Looks through files of the same kind, the nearest first. */
async function importersOf(root: SafeRoot, path: string, index: ProjectIndex, signal: AbortSignal): Promise<string[]> {
  const ecosystem = languageOf(path)?.ecosystem;
  if (!ecosystem) return [];
  const reader = new Reader(root, { most: most.read, signal });
  const others = index.files.filter((other) => other !== path && languageOf(other)?.ecosystem === ecosystem);
  const near = others.map((other): [string, number] => [other, distance(path, other)]).sort(([, a], [, b]) => a - b);
  const found: string[] = [];
  for (const [other] of near) {
    if (reader.isSpent || found.length >= most.importedBy) break;
    const text = await reader.text(other);
    if (text !== undefined && importsOf(other, text).some((one) => resolved(other, one, index).includes(path)))
      found.push(other);
  }
  return found;
}

/** How many folders one goes up and down from one file to the other. */
function distance(a: string, b: string): number {
  const [from, to] = [folderOf(a).split("/"), folderOf(b).split("/")];
  const shared = from.findIndex((name, place) => name !== to[place]);
  return from.length + to.length - 2 * (shared === -1 ? from.length : shared);
}

/** A package of Go is imported by its module's name. */
async function goModules(root: SafeRoot, files: readonly string[], path: string, signal: AbortSignal) {
  if (!path.endsWith(".go")) return [];
  const reader = new Reader(root, { most: 10, signal });
  const modules: { name: string; folder: string }[] = [];
  for (const file of files.filter((one) => one === "go.mod" || one.endsWith("/go.mod"))) {
    const line = (await reader.text(file))?.split("\n").find((text) => text.startsWith("module "));
    if (line !== undefined) modules.push({ name: line.slice("module ".length).trim(), folder: folderOf(file) });
  }
  return modules;
}

async function lastCommit({ git, path: folder }: { git: Git; path: string }, path: string, signal: AbortSignal) {
  const repository = git.open(folder);
  const format = `--format=%H${separator}%an${separator}%aI${separator}%s`;
  const file = `${placeIn(repository, folder)}${path}`;
  const { code, stdout } = await repository.run("log", ["-1", "--no-show-signature", format, "--", file], { signal });
  const [commit, author = "", date = "", subject = ""] = stdout.toString().trim().split("\0");
  if (code !== 0 || !commit) return undefined;
  return { commit, author: visible(author.slice(0, 200)), date, subject: visible(subject.slice(0, 300)) };
}
