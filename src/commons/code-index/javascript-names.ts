import { posix } from "node:path";
import { isRecord, tryParseRecord } from "../../kernel/json.ts";
import { fileName, folderName } from "./project-index.ts";
import { stripJsonComments } from "./strip-json-comments.ts";

/** A package of the project itself, as others in the workspace import it. */
export type WorkspacePackage = {
  name: string;
  folder: string;
  /** What it offers under which subpath (`.` is the package): paths from its folder, of sources or of what they are built to. */
  entries: ReadonlyMap<string, readonly string[]>;
};

/** `@/*` for files below a folder; targets are paths from the project's root, with a `*` where the name has one. */
type PathAlias = { folder: string; pattern: string; targets: readonly string[] };

/** What imports in JavaScript and TypeScript may mean besides a path. */
export type JavaScriptNames = {
  packages: readonly WorkspacePackage[];
  aliases: readonly PathAlias[];
  /** There are more than imports are compared with. */
  isCut?: boolean;
};

type ReadText = (path: string) => Promise<string | undefined> | string | undefined;

const maxFiles = 400;
/** Of aliases together, and of each package: every import is compared with all of them. */
const maxTargets = { aliases: 4_000, entries: 500 } as const;
const maxExtends = 5;
const settingsFile = /^(?:tsconfig|jsconfig)(?:\.[\w-]+)?\.json$/;

/** From the manifests and compiler settings among the files; what cannot be read is left out. */
export async function readJavaScriptNames(files: readonly string[], read: ReadText): Promise<JavaScriptNames> {
  const packages: WorkspacePackage[] = [];
  const collected = new AliasList();
  let isCut = false;
  const known = new Set(files);
  const wanted = files.filter((path) => fileName(path) === "package.json" || settingsFile.test(fileName(path)));
  for (const path of byDepth(wanted).slice(0, maxFiles)) {
    const value = tryParseRecord(stripJsonComments((await read(path)) ?? ""));
    if (!value) continue;
    const isManifest = fileName(path) === "package.json";
    const found = isManifest ? readPackage(folderName(path), value) : undefined;
    if (found) packages.push(found);
    isCut ||= found?.isCut === true;
    const own = isManifest ? readOwnImports(folderName(path), value) : await readPaths(path, value, known, read);
    if (!collected.isCut) collected.add(own);
  }
  const { aliases } = collected;
  // The settings that are nearest to a file count.
  aliases.sort((a, b) => b.folder.length - a.folder.length || b.pattern.length - a.pattern.length);
  return { packages: packages.sort((a, b) => b.name.length - a.name.length), aliases, isCut: isCut || collected.isCut };
}

/** Aliases of a project, those at the root first, up to the maximum. */
class AliasList {
  readonly aliases: PathAlias[] = [];
  readonly #ofAll = new Set<string>();
  /** Below the root, with aliases of their own. */
  readonly #folders = new Set<string>();
  #left: number = maxTargets.aliases;

  get isCut(): boolean {
    return this.#left < 0;
  }

  add(own: readonly PathAlias[]): void {
    if (this.#isKnown(own)) return;
    for (const alias of own) {
      this.#left -= Math.max(1, alias.targets.length);
      if (this.isCut) return;
      this.aliases.push(alias);
      if (alias.folder === "") this.#ofAll.add(describeAlias(alias));
      else this.#folders.add(alias.folder);
    }
  }

  /** Settings below often extend those at the root, which are for all files. */
  #isKnown(own: readonly PathAlias[]): boolean {
    const [{ folder } = { folder: "" }] = own;
    const isAround = (other: string) => `${folder}/`.startsWith(`${other}/`);
    return own.every((alias) => this.#ofAll.has(describeAlias(alias))) && ![...this.#folders].some(isAround);
  }
}

function describeAlias({ pattern, targets }: PathAlias): string {
  return JSON.stringify([pattern, targets]);
}

/** Those near the root first: with too many, what is deep inside of examples and fixtures is left out. */
function byDepth(paths: readonly string[]): string[] {
  return paths.toSorted((a, b) => a.split("/").length - b.split("/").length);
}

function readPackage(
  folder: string,
  value: Record<string, unknown>,
): (WorkspacePackage & { isCut: boolean }) | undefined {
  const { name, exports: offered } = value;
  if (typeof name !== "string" || name === "") return undefined;
  const main = ["source", "types", "typings", "module", "main"].flatMap((key) => listTexts(value[key]));
  const subpaths = isRecord(offered) && Object.keys(offered).some((key) => key.startsWith(".")) ? offered : {};
  const entries = new Map<string, string[]>();
  let count = 0;
  for (const [key, target] of Object.entries(subpaths)) {
    const targets = listTexts(target);
    count += Math.max(1, targets.length);
    if (count > maxTargets.entries) break;
    entries.set(key, targets);
  }
  const own = Object.keys(subpaths).length > 0 ? (entries.get(".") ?? []) : listTexts(offered);
  const all = [...own, ...main];
  entries.set(".", all.slice(0, maxTargets.entries));
  return { name, folder, entries, isCut: count > maxTargets.entries || all.length > maxTargets.entries };
}

/** `#lib/*` in `imports` of package.json. */
function readOwnImports(folder: string, { imports }: Record<string, unknown>): PathAlias[] {
  if (!isRecord(imports)) return [];
  return Object.entries(imports).map(([pattern, target]) => ({
    folder,
    pattern,
    targets: listTexts(target).map((path) => posix.join(folder, path)),
  }));
}

/** `paths` and `baseUrl` of compiler settings, their own or those that they extend. */
async function readPaths(
  path: string,
  value: Record<string, unknown>,
  known: ReadonlySet<string>,
  read: ReadText,
): Promise<PathAlias[]> {
  const folder = folderName(path);
  let [at, settings]: [string, Record<string, unknown> | undefined] = [path, value];
  let aliases: PathAlias[] | undefined;
  for (let left = maxExtends; left > 0 && settings; left--) {
    aliases ??= listAliases(folder, folderName(at), settings);
    const base: string | undefined = findExtended(at, settings, known);
    if (aliases || base === undefined) break;
    [at, settings] = [base, tryParseRecord(stripJsonComments((await read(base)) ?? ""))];
  }
  return aliases ?? [];
}

/** `scope`: the folder whose files they are for; `place`: where the settings are. Undefined if they say nothing of the kind. */
function listAliases(scope: string, place: string, settings: Record<string, unknown>): PathAlias[] | undefined {
  const options = settings["compilerOptions"];
  if (!isRecord(options)) return undefined;
  const { paths, baseUrl } = options;
  const base = typeof baseUrl === "string" ? posix.join(place, baseUrl) : undefined;
  if (!isRecord(paths) && base === undefined) return undefined;
  const named = Object.entries(isRecord(paths) ? paths : {}).map(([pattern, targets]) => ({
    folder: scope,
    pattern,
    targets: listTexts(targets).map((target) => posix.join(base ?? place, target)),
  }));
  return base === undefined ? named : [...named, { folder: scope, pattern: "*", targets: [posix.join(base, "*")] }];
}

function findExtended(path: string, settings: Record<string, unknown>, known: ReadonlySet<string>): string | undefined {
  const [first] = listTexts(settings["extends"]).filter((one) => one.startsWith("."));
  if (first === undefined) return undefined;
  const base = posix.join(folderName(path), first);
  return [base, `${base}.json`, `${base}/tsconfig.json`].find((one) => known.has(one) && one !== path);
}

/** Texts at any depth: conditions (`import`, `types`) and lists are all possible. */
function listTexts(value: unknown, depth = 5): string[] {
  if (typeof value === "string") return [value];
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((inner) => listTexts(inner, depth - 1));
}
