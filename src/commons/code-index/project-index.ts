import type { JavaScriptNames } from "./javascript-names.ts";

/** Names that imports use for the project's own code. */
export type ModuleNames = {
  /** Modules of Go by name, with the folders they are in. */
  goModules?: readonly { name: string; folder: string }[];
  javaScript?: JavaScriptNames;
};

/** The files of a project, by path, name and folder. */
export class ProjectIndex {
  readonly files: readonly string[];
  readonly goModules: readonly { name: string; folder: string }[];
  readonly javaScript: JavaScriptNames;
  readonly #known: ReadonlySet<string>;
  #byName: Map<string, string[]> | undefined;
  #byFolder: Map<string, string[]> | undefined;

  constructor(files: readonly string[], { goModules = [], javaScript }: ModuleNames = {}) {
    this.files = files;
    this.goModules = goModules;
    this.javaScript = javaScript ?? { packages: [], aliases: [] };
    this.#known = new Set(files);
  }

  has(path: string): boolean {
    return this.#known.has(path);
  }

  findByName(name: string): readonly string[] {
    this.#byName ??= groupBy(this.files, fileName);
    return this.#byName.get(name) ?? [];
  }

  listFolder(folder: string): readonly string[] {
    this.#byFolder ??= groupBy(this.files, folderName);
    return this.#byFolder.get(folder) ?? [];
  }
}

function groupBy(files: readonly string[], by: (path: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of files) {
    const group = groups.get(by(path));
    if (group) group.push(path);
    else groups.set(by(path), [path]);
  }
  return groups;
}

/** Empty for the root. */
export function folderName(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** `sum` of `src/sum.ts`, `sum.test.ts`, `test_sum.py`, `sum_test.go` and `SumTest.java`. */
export function bareName(path: string): string {
  return fileName(path)
    .replace(/\.\w+$/, "")
    .replace(/^test[_-]/, "")
    .replace(/[._-](?:test|tests|spec|specs)$/, "")
    .replace(/(?:Test|Tests|Spec)$/, "")
    .toLowerCase();
}

export function isTestFile(path: string): boolean {
  const name = fileName(path);
  return (
    /[._-](?:test|tests|spec|specs)\.\w+$/.test(name) ||
    /^test_.{0,250}\.py$/.test(name) ||
    /(?:Test|Tests|Spec)\.\w+$/.test(name) ||
    path.split("/").some((folder) => folder === "tests" || folder === "__tests__")
  );
}
