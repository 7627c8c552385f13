import { findImports } from "../../../commons/code-index/imports.ts";
import { detectLanguage } from "../../../commons/code-index/languages.ts";
import { fileName, folderName, type ProjectIndex } from "../../../commons/code-index/project-index.ts";
import { resolveImport } from "../../../commons/code-index/resolve-import.ts";
import { visible } from "../../../kernel/text/visible.ts";
import type { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { SourceReader } from "./source-reader.ts";

const maxRead = 3_000;
const maxNamed = 3;
/** Files that stand for the folder they are in. */
const folderFiles = /^(?:index\.\w+|mod\.rs|__init__\.py|lib\.rs)$/;

export type Importers = {
  /** The nearest first. */
  files: string[];
  /** Why there may be others; undefined if there are none. */
  incomplete?: string;
};

/** The files that import a file, among all of the same language. */
export async function findImporters(
  root: SafeRoot,
  path: string,
  index: ProjectIndex,
  signal: AbortSignal,
): Promise<Importers> {
  const ecosystem = detectLanguage(path)?.ecosystem;
  if (!ecosystem) return { files: [] };
  const others = index.files.filter((other) => other !== path && detectLanguage(other)?.ecosystem === ecosystem);
  const near = others
    .map((other): [string, number] => [other, folderDistance(path, other)])
    .sort(([, a], [, b]) => a - b)
    .map(([other]) => other);
  const reader = new SourceReader(root, { max: maxRead, signal });
  const names = listPossibleNames(path, index);
  const files: string[] = [];
  const unsure: string[] = [];
  let unread = 0;
  for (const other of near) {
    const text = await reader.read(other);
    if (text === undefined) unread++;
    // An import of the file has one of its names in it, unless it is of a folder that both are in.
    if (text === undefined || !(names.some((name) => text.includes(name)) || isNear(path, other))) continue;
    const imports = findImports(other, text).map((specifier) => ({
      specifier,
      found: resolveImport(other, specifier, index),
    }));
    if (imports.some(({ found }) => found.includes(path))) files.push(other);
    else if (imports.some(({ specifier, found }) => found.length === 0 && mayMean(specifier, path))) unsure.push(other);
  }
  const incomplete = describeGaps(unread, unsure);
  return { files, ...(incomplete !== undefined && { incomplete }) };
}

/** Its own name, that of the workspace's package that it is in, and aliases that stand for one file. */
function listPossibleNames(path: string, { javaScript: { packages, aliases } }: ProjectIndex): string[] {
  const own = packages.filter(({ folder }) => folder === "" || path.startsWith(`${folder}/`));
  const exact = aliases.filter(({ pattern }) => !pattern.includes("*"));
  return [moduleName(path), ...own.map(({ name }) => name), ...exact.map(({ pattern }) => pattern)];
}

function describeGaps(unread: number, unsure: readonly string[]): string | undefined {
  const named = unsure.slice(0, maxNamed).map(visible).join(", ");
  const more = unsure.length > maxNamed ? ` and ${unsure.length - maxNamed} more` : "";
  const gaps = [
    ...(unread > 0 ? [`${unread} ${unread === 1 ? "file was" : "files were"} not read`] : []),
    ...(unsure.length > 0 ? [`an import in ${named}${more} could not be resolved and may be of this file`] : []),
  ];
  return gaps.length === 0 ? undefined : gaps.join("; ");
}

/** What imports call a file: its name without ending, or its folder's. */
function moduleName(path: string): string {
  const [folder, file] = [folderName(path), fileName(path)];
  const isOfFolder = folderFiles.test(file) || path.endsWith(".go");
  return isOfFolder ? fileName(folder) : file.replace(/\.\w+$/, "");
}

/** By an alias, or by the name of the package: `@/lib/sum`, `shop.cart.total`, `shop::cart`, `org.shop.*`. */
function mayMean(specifier: string, path: string): boolean {
  const name = moduleName(path);
  const parts = specifier.replace(/\.[cm]?[jt]sx?$/, "").split(/[./:\\]+/);
  if (name === "" || parts.length < 2) return false;
  if (specifier.endsWith(".")) return folderName(path).endsWith(parts.filter(Boolean).join("/"));
  const ecosystem = detectLanguage(path)?.ecosystem;
  if (ecosystem === "rust") return parts.includes(name) && !["std", "core", "alloc"].includes(parts[0] ?? "");
  if (parts.at(-1) !== name || specifier.startsWith("node:")) return false;
  return ecosystem !== "python" || parts.at(-2) === fileName(folderName(path));
}

/** In the same folder, or in one inside of the other. */
function isNear(path: string, other: string): boolean {
  const [a, b] = [`${folderName(path)}/`, `${folderName(other)}/`];
  return a.startsWith(b) || b.startsWith(a);
}

/** The number of steps up and down the folders from one file to the other. */
function folderDistance(a: string, b: string): number {
  const [from, to] = [folderName(a).split("/"), folderName(b).split("/")];
  const shared = from.findIndex((name, place) => name !== to[place]);
  return from.length + to.length - 2 * (shared === -1 ? from.length : shared);
}
