import { posix } from "node:path";
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
  if (!specifier.startsWith(".")) return [];
  const path = posix.join(folderName(file), specifier);
  // TypeScript sources are imported by the names of their compiled files.
  const source = path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
  return findFirst([...endings.map((end) => path + end), source, `${source}x`], index);
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
