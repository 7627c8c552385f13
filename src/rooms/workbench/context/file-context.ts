import { findExportedNames } from "../../../commons/code-index/exported-names.ts";
import { findImports } from "../../../commons/code-index/imports.ts";
import { readJavaScriptNames } from "../../../commons/code-index/javascript-names.ts";
import { detectLanguage } from "../../../commons/code-index/languages.ts";
import {
  bareName,
  folderName,
  isTestFile,
  type ModuleNames,
  ProjectIndex,
} from "../../../commons/code-index/project-index.ts";
import { visible } from "../../../kernel/text/visible.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Git } from "../../../platform/git/git.ts";
import { listFiles } from "../files/list-files.ts";
import { pathPrefix } from "../files/path-status.ts";
import { limits } from "../model/limits.ts";
import { isForeign, walkFiles } from "../project/project-files.ts";
import { findImporters } from "./find-importers.ts";
import { SourceReader } from "./source-reader.ts";

const bounds = { imports: 40, exported: 60, importedBy: 60, tests: 10 } as const;
const separator = "%x00";
const maxSettings = 500;

export type FileContext = {
  language?: string;
  imports: string[];
  exported: string[];
  imported_by: string[];
  /** How many more there are. */
  imported_by_omitted?: number;
  /** Why there may be others. */
  imported_by_incomplete?: string;
  tests: string[];
  last_commit?: { commit: string; author: string; date: string; subject: string };
};

type Options = {
  signal: AbortSignal;
  /** Without it the folders are searched for files, and there is no last commit. */
  repository?: { git: Git; path: string };
};

/** What is known about a file besides its content. */
export async function readFileContext(
  root: SafeRoot,
  path: string,
  content: string,
  { signal, repository }: Options,
): Promise<FileContext> {
  const known = repository?.git.find(repository.path) ? repository : undefined;
  const files = known
    ? await listFiles(known.git, { path: known.path }, "", { ignored: false, signal })
    : await walkFiles(root, signal);
  const index = new ProjectIndex(
    files.filter((one) => one === path || !isForeign(one)),
    await readModuleNames(root, files, path, signal),
  );
  const imports = findImports(path, content);
  const { files: users, incomplete } = await findImporters(root, path, index, signal);
  const sameName = index.files.filter((other) => isTestOf(other, path));
  const tests = new Set([...sameName, ...users.filter(isTestFile)]);
  const language = detectLanguage(path)?.name;
  const commit = known && (await readLastCommit(known, path, signal));
  return {
    ...(language !== undefined && { language }),
    imports: imports.slice(0, bounds.imports).map(shortenVisible),
    exported: findExportedNames(path, content).slice(0, bounds.exported).map(visible),
    imported_by: users.slice(0, bounds.importedBy).map(shortenVisible),
    ...(users.length > bounds.importedBy && { imported_by_omitted: users.length - bounds.importedBy }),
    ...(incomplete !== undefined && { imported_by_incomplete: incomplete }),
    tests: [...tests].slice(0, bounds.tests).map(shortenVisible),
    ...(commit && { last_commit: commit }),
  };
}

function shortenVisible(text: string): string {
  return visible(text).slice(0, limits.path);
}

function isTestOf(other: string, path: string): boolean {
  return other !== path && isTestFile(other) && bareName(other) === bareName(path);
}

/** What imports of files like this one may call the project's own code. */
async function readModuleNames(
  root: SafeRoot,
  files: readonly string[],
  path: string,
  signal: AbortSignal,
): Promise<ModuleNames> {
  if (path.endsWith(".go")) return { goModules: await readGoModules(root, files, signal) };
  if (detectLanguage(path)?.ecosystem !== "javascript") return {};
  const reader = new SourceReader(root, { max: maxSettings, signal });
  return { javaScript: await readJavaScriptNames(files.filter(isNotForeign), (one) => reader.read(one)) };
}

const isNotForeign = (path: string) => !isForeign(path);

/** Go packages are imported by the name of their module. */
async function readGoModules(root: SafeRoot, files: readonly string[], signal: AbortSignal) {
  const reader = new SourceReader(root, { max: 10, signal });
  const modules: { name: string; folder: string }[] = [];
  for (const file of files.filter((one) => one === "go.mod" || one.endsWith("/go.mod"))) {
    const line = (await reader.read(file))?.split("\n").find((text) => text.startsWith("module "));
    if (line !== undefined) modules.push({ name: line.slice("module ".length).trim(), folder: folderName(file) });
  }
  return modules;
}

async function readLastCommit({ git, path: folder }: { git: Git; path: string }, path: string, signal: AbortSignal) {
  const repository = git.open(folder);
  const format = `--format=%H${separator}%an${separator}%aI${separator}%s`;
  const file = `${pathPrefix(repository, folder)}${path}`;
  const { code, stdout } = await repository.run("log", ["-1", "--no-show-signature", format, "--", file], { signal });
  const [commit, author = "", date = "", subject = ""] = stdout.toString().trim().split("\0");
  if (code !== 0 || !commit) return undefined;
  return { commit, author: visible(author.slice(0, 200)), date, subject: visible(subject.slice(0, 300)) };
}
