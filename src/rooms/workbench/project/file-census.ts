import { detectLanguage, type Language } from "../../../commons/code-index/languages.ts";
import { findManifestReader } from "../../../commons/manifests/index.ts";
import { isOwn } from "./project-files.ts";

/** Packages lie no deeper than so many folders. */
const maxPackageDepth = 5;
const maxNames = 20_000;

/** Packages in there are for tests to work with. */
const testFolders = new Set(["test", "tests", "__tests__", "spec"]);
/** Packages in there measure, show or document the project: what they use, it need not be made of. */
const sideFolders = new Set(
  [
    "bench benches benchmark benchmarks perf demo demos sample samples playground playgrounds e2e runtime-tests",
    "integration-tests doc docs website site",
  ].flatMap((line) => line.split(" ")),
);

/** Files that say something by being there. */
const markerFiles = new Set(
  [
    "package-lock.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb uv.lock mvnw gradlew tsconfig.json Makefile",
    "main.rs lib.rs main.go conftest.py pytest.ini manage.py",
  ].flatMap((line) => line.split(" ")),
);

/** Counts a project's files as they are named, in memory that does not grow with them. */
export class FileCensus {
  total = 0;
  readonly byLanguage = new Map<Language, number>();
  readonly #manifests = new Set<string>();
  readonly #sideManifests = new Set<string>();
  readonly #telling = new Set<string>();
  /** Of own files, by the upper folders they are in. */
  readonly #byFolder = new Map<string, Map<Language, number>>();
  readonly #pythonTests = new Set<string>();

  add(path: string): void {
    this.total++;
    const language = detectLanguage(path);
    if (language) increase(this.byLanguage, language);
    if (!isOwn(path)) return;
    this.note(path);
    if (language) this.#count(upperFolder(path), language, path);
  }

  /** Takes notice of a file without counting it. */
  note(path: string): void {
    const names = path.split("/");
    if (names.length > maxPackageDepth + 2) return;
    const name = names.at(-1) ?? "";
    if (markerFiles.has(name) && this.#telling.size < maxNames) this.#telling.add(path);
    const isPackage = names.length <= maxPackageDepth + 1 && !names.some((folder) => testFolders.has(folder));
    const isAside = names.slice(0, -1).some((folder) => sideFolders.has(folder.toLowerCase()));
    const manifests = isAside ? this.#sideManifests : this.#manifests;
    if (isPackage && manifests.size < maxNames && findManifestReader(name)) manifests.add(path);
  }

  /** Nearest to the root first. Those of benchmarks, demos and documentation only if there are no others. */
  listManifests(): string[] {
    const depth = (path: string) => path.split("/").length;
    const manifests = this.#manifests.size > 0 ? this.#manifests : this.#sideManifests;
    return [...manifests].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  }

  has(path: string): boolean {
    return this.#telling.has(path) || this.#manifests.has(path) || this.#sideManifests.has(path);
  }

  /** How many files of each language are in these folders, each counted for the innermost of them. */
  countLanguages(folders: ReadonlySet<string>): Map<string, Map<Language, number>> {
    const counts = new Map<string, Map<Language, number>>();
    for (const [folder, languages] of this.#byFolder) {
      const owner = findInnermost(folder, folders);
      if (owner === undefined) continue;
      const sum = counts.get(owner) ?? new Map<Language, number>();
      counts.set(owner, sum);
      for (const [language, count] of languages) increase(sum, language, count);
    }
    return counts;
  }

  hasPythonTests(folder: string): boolean {
    const start = folder === "" ? "" : `${folder}/`;
    return [...this.#pythonTests].some((path) => path.startsWith(start));
  }

  #count(folder: string, language: Language, path: string): void {
    const known = this.#byFolder.get(folder);
    if (!known && this.#byFolder.size >= maxNames) return;
    const languages = known ?? new Map<Language, number>();
    this.#byFolder.set(folder, languages);
    increase(languages, language);
    const name = path.slice(path.lastIndexOf("/") + 1);
    const isTest = language.name === "python" && (name.startsWith("test_") || name.endsWith("_test.py"));
    if (isTest && this.#pythonTests.size < maxNames) this.#pythonTests.add(`${folder}/`.replace(/^\//, ""));
  }
}

function increase(counts: Map<Language, number>, language: Language, by = 1): void {
  counts.set(language, (counts.get(language) ?? 0) + by);
}

function upperFolder(path: string): string {
  return path.split("/").slice(0, -1).slice(0, maxPackageDepth).join("/");
}

function findInnermost(folder: string, folders: ReadonlySet<string>): string | undefined {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    if (folders.has(at)) return at;
    if (at === "") return undefined;
  }
}
