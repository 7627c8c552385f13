import { findImports } from "../../../../commons/code-index/imports.ts";
import { readJavaScriptNames } from "../../../../commons/code-index/javascript-names.ts";
import { detectLanguage } from "../../../../commons/code-index/languages.ts";
import { folderName, joinPath, ProjectIndex } from "../../../../commons/code-index/project-index.ts";
import { packageName, resolveImport } from "../../../../commons/code-index/resolve-import.ts";
import type { TestProject } from "../../../../commons/test-runs/project/test-project.ts";
import { isRecord, tryParseRecord } from "../../../../kernel/json.ts";

/** More imports than this in one file, or lines, and some may be left out. */
const limits = { imports: 1_000, lines: 20_000 };

/** Loads a file whose name is known only when it runs, or starts a program. */
const hidden = {
  javascript:
    /\b(?:import|require)\s*\(\s*[^\s"')]|\bimport\.meta\.glob|\brequire\.context\b|\b(?:child_process|worker_threads|execa)\b/,
  python: /\b(?:import_module|__import__|run_module|run_path)\s*\(|\bsubprocess\b/,
};

/** Files, each with those that import it. */
export type Imported = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The files that a test imports, and those import, its own included. Undefined if they cannot be told: in languages in which files
 * use each other without an import, if an import leads to nothing that is known, if the test loads or starts something by a name
 * that is made up at run time, or if there are too many, also of what imports may mean.
 */
export async function findImported(
  project: TestProject,
  test: string,
  maxFiles: number,
): Promise<Imported | undefined> {
  const ecosystem = detectLanguage(test)?.ecosystem;
  if (ecosystem !== "javascript" && ecosystem !== "python") return undefined;
  if (hidden[ecosystem].test(project.readText(test) ?? "")) return undefined;
  const files = await project.listAllFiles();
  const javaScript = await readJavaScriptNames(files, (path) => project.readText(path));
  if (javaScript.isCut) return undefined;
  const index = new ProjectIndex(files, { javaScript });
  const isPackage = makePackageTest(project, index);
  const found = new Map([test, ...listConfigurations(test, index)].map((path) => [path, new Set<string>()]));
  for (const file of found.keys()) {
    const own = listOwnImports(file, project.readText(file) ?? "", index, isPackage);
    if (!own || found.size > maxFiles) return undefined;
    for (const path of own) found.set(path, (found.get(path) ?? new Set()).add(file));
  }
  return found;
}

type PackageTest = (file: string, specifier: string) => boolean;

/** The files that one file imports; undefined if that is not known of all its imports. */
function listOwnImports(file: string, text: string, index: ProjectIndex, isPackage: PackageTest): string[] | undefined {
  if (detectLanguage(file)?.ecosystem === undefined) return [];
  if (text.split("\n").length > limits.lines) return undefined;
  const found: string[] = [];
  for (const specifier of findImports(file, text, limits)) {
    const paths = resolveImport(file, specifier.split(/[?#]/, 1)[0] ?? "", index);
    if (paths.length === 0 && !isPackage(file, specifier)) return undefined;
    found.push(...paths.flatMap((path) => withPackages(path, index)));
  }
  return found;
}

/** Whether an import that leads to no file of the project refers to something outside. */
function makePackageTest(project: TestProject, index: ProjectIndex): PackageTest {
  const packages = new Set(
    index.findByName("package.json").flatMap((path) => listDependencies(project.readText(path))),
  );
  const modules = index.files.filter((path) => path.endsWith(".py")).map((path) => path.replace(/\.py$/, ""));
  const parts = new Set(modules.flatMap((path) => path.split("/")));
  const isPython = (file: string, specifier: string): boolean => {
    const names = specifier.split(".");
    if (names[0] === "" || !parts.has(names[0] ?? "")) return true;
    // The end may be a name in a module.
    return names.some((_, at) => resolveImport(file, names.slice(0, at).join("."), index).length > 0);
  };
  return (file, specifier) => {
    if (detectLanguage(file)?.ecosystem === "python") return isPython(file, specifier);
    const name = packageName(file, specifier);
    return isNodeModule(specifier) || (name !== undefined && (packages.has(name) || project.hasPackage(name)));
  };
}

const nodeModules = new Set(
  "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls tty url util v8 vm wasi worker_threads zlib".split(
    " ",
  ),
);

/** `fs`, `fs/promises`, `node:fs`. */
function isNodeModule(specifier: string): boolean {
  return specifier.startsWith("node:") || nodeModules.has(specifier.split("/")[0] ?? "");
}

const dependencyKinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

function listDependencies(text: string | undefined): string[] {
  const manifest = tryParseRecord(text ?? "") ?? {};
  return dependencyKinds.flatMap((kind) => {
    const named = manifest[kind];
    return isRecord(named) ? Object.keys(named) : [];
  });
}

/** A module of Python, and the packages that it is in, which are loaded with it. */
function withPackages(path: string, index: ProjectIndex): string[] {
  if (!path.endsWith(".py")) return [path];
  const parents = listParents(path).map((folder) => joinPath(folder, "__init__.py"));
  return [path, ...parents.filter((one) => index.has(one))];
}

/** What pytest loads before a test of this folder. */
function listConfigurations(test: string, index: ProjectIndex): string[] {
  if (!test.endsWith(".py")) return [];
  const names = ["conftest.py", "__init__.py"];
  return listParents(test).flatMap((folder) =>
    names.map((name) => joinPath(folder, name)).filter((path) => index.has(path)),
  );
}

function listParents(path: string): string[] {
  const folder = folderName(path);
  return folder === "" ? [""] : [folder, ...listParents(folder)];
}
