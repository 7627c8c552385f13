import { posix } from "node:path";
import type { WorkspacePackage } from "./javascript-names.ts";
import { detectLanguage } from "./languages.ts";
import { fileName, folderName, joinPath, type ProjectIndex } from "./project-index.ts";

const endings = ["", ".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".vue", ".svelte"].flatMap((end) =>
  end === "" ? [end] : [end, `/index${end}`],
);
const maxPackageFiles = 20;

/** The project's own files that an import refers to; none if it refers to a package. */
export function resolveImport(file: string, specifier: string, index: ProjectIndex): readonly string[] {
  const ecosystem = detectLanguage(file)?.ecosystem;
  if (ecosystem === "javascript") return resolveJavaScript(file, specifier, index);
  if (ecosystem === "python") return resolvePython(file, specifier, index);
  if (ecosystem === "rust") return resolveRust(file, specifier, index);
  if (ecosystem === "go") return resolveGo(specifier, index);
  if (ecosystem === "java") return resolveJava(specifier, index);
  return [];
}

/** The name of the imported package in manifests, as far as the import tells. */
export function packageName(file: string, specifier: string): string | undefined {
  const ecosystem = detectLanguage(file)?.ecosystem;
  if (ecosystem === "javascript") {
    if (/^[./#]/.test(specifier) || specifier.includes(":")) return undefined;
    const [first = "", second = ""] = specifier.split("/");
    return first.startsWith("@") ? `${first}/${second}` : first;
  }
  if (ecosystem === "python") return specifier.startsWith(".") ? undefined : specifier.split(".")[0];
  if (ecosystem !== "rust") return specifier;
  const [first = ""] = specifier.split("::");
  return first.startsWith("mod ") || ["crate", "self", "super", "std", "core", "alloc"].includes(first)
    ? undefined
    : first;
}

function findFirst(candidates: readonly string[], index: ProjectIndex): string[] {
  return candidates.filter((path) => index.has(path)).slice(0, 1);
}

function resolveJavaScript(file: string, specifier: string, index: ProjectIndex): string[] {
  if (specifier.startsWith(".")) return findSource(posix.join(folderName(file), specifier), index);
  const { aliases, packages } = index.javaScript;
  for (const { folder, pattern, targets } of aliases) {
    const matched = folder === "" || file.startsWith(`${folder}/`) ? matchPattern(pattern, specifier) : undefined;
    if (matched === undefined) continue;
    for (const target of targets) {
      const found = findSource(
        target.replace("*", () => matched),
        index,
      );
      if (found.length > 0) return found;
    }
  }
  const named = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  return named ? findOffered(named, specifier.slice(named.name.length + 1), index) : [];
}

function findSource(path: string, index: ProjectIndex): string[] {
  // TypeScript sources are imported by the names of their compiled files.
  const source = path.replace(/(?:\.d)?\.([cm]?)[jt]s(x?)$/, ".$1ts$2");
  return findFirst([...endings.map((end) => path + end), source, `${source}x`], index);
}

/** What the `*` stands for; empty for a pattern without one. Undefined if it does not match. */
function matchPattern(pattern: string, specifier: string): string | undefined {
  const [before = "", after] = pattern.split("*");
  if (after === undefined) return specifier === pattern ? "" : undefined;
  const fits = specifier.length >= before.length + after.length;
  if (!fits || !specifier.startsWith(before) || !specifier.endsWith(after)) return undefined;
  return specifier.slice(before.length, specifier.length - after.length);
}

const builtFolders = /(^|\/)(?:dist|lib|build|out|esm|cjs)(?:\/(?:esm|cjs|types|src))?\//;

/** The file behind what a package offers. What it offers is often built from the sources, and not in the repository. */
function findOffered({ folder, entries }: WorkspacePackage, subpath: string, index: ProjectIndex): string[] {
  const offered = [...entries].flatMap(([key, targets]) => {
    const matched = matchPattern(key, subpath === "" ? "." : `./${subpath}`);
    return matched === undefined ? [] : targets.map((target) => target.replace("*", () => matched));
  });
  const usual = subpath === "" ? ["src/index", "index", "src/main"] : [subpath, `src/${subpath}`];
  const paths = [...offered, ...offered.map((path) => path.replace(builtFolders, "$1src/")), ...usual];
  for (const path of paths) {
    const found = findSource(posix.join(folder, path), index);
    if (found.length > 0) return found;
  }
  return [];
}

/** From the root, from `src`, or from the file's own folder; with dots, from parent folders. */
function resolvePython(file: string, module: string, index: ProjectIndex): string[] {
  const dots = module.length - module.replace(/^\.+/, "").length;
  const path = module.slice(dots).split(".").join("/");
  const up = Array<string>(Math.min(20, Math.max(0, dots - 1))).fill("..");
  const places = dots > 0 ? [posix.join(folderName(file), ...up)] : ["", "src", folderName(file)];
  return findFirst(
    places.flatMap((place) => [posix.join(place, `${path}.py`), posix.join(place, path, "__init__.py")]),
    index,
  );
}

function resolveRust(file: string, specifier: string, index: ProjectIndex): string[] {
  const isTop = ["main.rs", "lib.rs", "mod.rs"].includes(fileName(file));
  const own = isTop ? folderName(file) : joinPath(folderName(file), fileName(file).replace(/\.rs$/, ""));
  if (specifier.startsWith("mod ")) return findRustModule(own, [specifier.slice("mod ".length)], index);
  const [start = "", ...names] = specifier.split("::");
  if (start === "self") return findRustModule(own, names, index);
  if (start === "super") return findRustModule(folderName(own), names, index);
  const at = `/${file}`.lastIndexOf("/src/");
  return start === "crate" && at !== -1 ? findRustModule(`/${file}`.slice(1, at + "/src".length), names, index) : [];
}

/** The innermost part of `a::b::C` that is a file. */
function findRustModule(folder: string, names: readonly string[], index: ProjectIndex): string[] {
  for (let length = Math.min(names.length, 10); length > 0; length--) {
    const path = joinPath(folder, names.slice(0, length).join("/"));
    const found = findFirst([`${path}.rs`, `${path}/mod.rs`], index);
    if (found.length > 0) return found;
  }
  return [];
}

function resolveGo(specifier: string, index: ProjectIndex): string[] {
  const module = index.goModules.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  if (!module) return [];
  const folder = posix.join(module.folder, specifier.slice(module.name.length + 1));
  const files = index.listFolder(folder === "." ? "" : folder);
  return files.filter((path) => path.endsWith(".go") && !path.endsWith("_test.go")).slice(0, maxPackageFiles);
}

function resolveJava(specifier: string, index: ProjectIndex): string[] {
  const way = specifier.split(".").join("/");
  const candidates = ["java", "kt", "scala"].flatMap((end) => index.findByName(`${fileName(way)}.${end}`));
  return candidates.filter((path) => path.slice(0, path.lastIndexOf(".")).endsWith(way)).slice(0, 1);
}
