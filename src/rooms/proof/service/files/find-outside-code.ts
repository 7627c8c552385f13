import { dirname, isAbsolute, join, resolve } from "node:path";
import { findImports } from "../../../../commons/code-index/imports.ts";
import { detectLanguage } from "../../../../commons/code-index/languages.ts";
import { fileName } from "../../../../commons/code-index/project-index.ts";
import { parseToml } from "../../../../commons/manifests/toml.ts";
import { TestProject } from "../../../../commons/test-runs/project/test-project.ts";
import { isRecord, tryParseJson } from "../../../../kernel/json.ts";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { realPlace } from "../../../../platform/files/real-place.ts";
import { isInside } from "../../../../platform/git/run/locate-repository.ts";

/** Where package managers install; a committed file in there takes the place of what was installed. */
const packageFolders = new Set([
  ...["node_modules", "bower_components", "site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox"],
]);

/** Packages in there are what a test works on. */
const sampleFolders = new Set(["fixture", "fixtures", "__fixtures__", "testdata", "test-data"]);

/** Those of the paths that are in a folder for packages. */
export function findCommittedPackages(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const folders = path.toLowerCase().split("/").slice(0, -1);
    const at = folders.findIndex((name) => packageFolders.has(name));
    return at !== -1 && !folders.slice(0, at).some((name) => sampleFolders.has(name));
  });
}

/** Those of the paths that are links to somewhere outside the folder. */
export function findLinksOut(root: string, paths: readonly string[]): string[] {
  const folder = realPlace(root);
  return paths.filter((path) => {
    const place = join(folder, path);
    return entryAt(place)?.isSymbolicLink() === true && !isInside(realPlace(place), folder);
  });
}

/** A file, and what it loads from outside the folder, as written. */
export type ImportOut = { file: string; from: string };

/** Those of the files that load code by a path that leads out of the folder to something that is there. */
export function findImportsOut(root: string, paths: readonly string[]): ImportOut[] {
  const project = new TestProject(root);
  return paths.flatMap((file) => {
    const folder = dirname(join(project.root, file));
    const ends = detectLanguage(file)?.ecosystem === "javascript" ? moduleEnds : [""];
    const isOut = (from: string) => {
      const place = resolve(folder, from.startsWith("file:") ? toPath(from) : from);
      return ends.some(
        (end) => isThere(place + end, ends.length > 1) && !isInside(realPlace(place + end), project.root),
      );
    };
    const from = listPaths(file, project).find(isOut);
    return from === undefined ? [] : [{ file, from }];
  });
}

const moduleEnds = ["", ".js", ".mjs", ".cjs", ".ts", ".json", ".node", "/package.json", "/index.js"];

/** Ways to load code by its path, besides imports. */
const pythonPath =
  /\b(?:sys\.path\.\w{1,20}|addsitedir|spec_from_file_location|SourceFileLoader|run_path)\s{0,20}\([^"'\n]{0,100}(?:["'][\w.]{0,100}["'],\s{0,20})?["']([^"'\n]{1,300})["']/g;
const rustPath = /(?:#\[path\s{0,20}=\s{0,20}|\binclude!\s{0,20}\(\s{0,20})"([^"\n]{1,300})"/g;
const manifestPaths: Record<string, (text: string) => string[]> = {
  "go.mod": listGoWords,
  "go.work": listGoWords,
  "Cargo.toml": listCargoPaths,
};
/** A comment is taken as one, and dropped. */
const goWord = /\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|[^\s"`()]+/g;

/** The paths that a file loads code from: absolute ones, and those that are relative to its folder. */
function listPaths(file: string, project: TestProject): string[] {
  const ecosystem = detectLanguage(file)?.ecosystem;
  const manifest = manifestPaths[fileName(file)];
  const all = (pattern: RegExp) =>
    [...(project.readText(file) ?? "").matchAll(pattern)].map(([, path = ""]) => path).filter(isPath);
  if (manifest) return manifest(project.readText(file) ?? "").filter(isPath);
  if (ecosystem === "rust") return all(rustPath);
  // What is relative in Python depends on the folder that it is run in.
  if (ecosystem === "python") return all(pythonPath).filter(isAbsolute);
  if (ecosystem !== "javascript") return [];
  const specifiers = findImports(file, project.readText(file) ?? "", { imports: 1_000, lines: 20_000 });
  return specifiers.map((specifier) => specifier.split(/[?#]/, 1)[0] ?? "").filter(isPath);
}

/** Paths are where other words could be, too: `use ../lib`, `replace lib => "../lib"`. */
function listGoWords(text: string): string[] {
  const words = (text.match(goWord) ?? []).filter((word) => !word.startsWith("//"));
  return words.map((word) => {
    if (word.startsWith("`")) return word.slice(1, -1);
    const value = tryParseJson(word.replace(/\\x(?=[\da-f]{2})/gi, "\\u00"));
    return typeof value === "string" ? value : word;
  });
}

/** Parsed, because TOML has many ways to write a key and a string. One that cannot be parsed is none to cargo either. */
function listCargoPaths(text: string): string[] {
  try {
    return listValuesOf("path", parseToml(text));
  } catch {
    return [];
  }
}

function listValuesOf(key: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => listValuesOf(key, one));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    name === key && typeof one === "string" ? [one] : listValuesOf(key, one),
  );
}

/** A folder is no module, but may have some in it. */
function isThere(place: string, isModule: boolean): boolean {
  const entry = entryAt(place);
  return entry !== undefined && !(isModule && entry.isDirectory());
}

function isPath(specifier: string): boolean {
  return isAbsolute(specifier) || /^(?:\.{1,2}(?:\/|$)|file:)/.test(specifier);
}

function toPath(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  } catch {
    return "";
  }
}
