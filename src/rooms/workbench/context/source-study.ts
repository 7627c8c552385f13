import { findImports } from "../../../commons/code-index/imports.ts";
import type { ProjectIndex } from "../../../commons/code-index/project-index.ts";
import { packageName, resolveImport } from "../../../commons/code-index/resolve-import.ts";
import type { PlacedManifest } from "../project/read-manifests.ts";
import { describeFile, describeManifest, describeUnread } from "./describe-file.ts";
import type { ReadSource } from "./find-patterns.ts";
import type { SourceReader } from "./source-reader.ts";

/** Reads source files and keeps what is in them. */
export class SourceStudy {
  readonly #index: ProjectIndex;
  readonly #reader: SourceReader;
  readonly #sources = new Map<string, ReadSource>();
  /** The project's own files that each of them imports. */
  readonly #imported = new Map<string, string[]>();
  readonly #manifests: ReadonlyMap<string, PlacedManifest>;
  /** Dependencies by the name that imports use. */
  readonly #dependencies: ReadonlyMap<string, string>;

  constructor(index: ProjectIndex, reader: SourceReader, manifests: readonly PlacedManifest[]) {
    this.#index = index;
    this.#reader = reader;
    this.#manifests = new Map(manifests.map((manifest) => [manifest.path, manifest]));
    const names = manifests.flatMap(({ dependencies, devDependencies }) => [...dependencies, ...devDependencies]);
    this.#dependencies = new Map(names.map((name) => [foldName(name), name]));
  }

  /** Those of the files that can be read. */
  async read(files: readonly string[]): Promise<ReadSource[]> {
    const sources: ReadSource[] = [];
    for (const path of files) {
      const source = this.#sources.get(path) ?? (await this.#study(path));
      if (source) sources.push(source);
    }
    return sources;
  }

  /** For what takes long with many files. */
  giveWay(): Promise<void> {
    return this.#reader.giveWay();
  }

  getText(path: string): string | undefined {
    return this.#sources.get(path)?.text;
  }

  /** Whether it was read, or is too large to be. */
  isKnown(path: string): boolean {
    return this.#sources.has(path) || this.#manifests.has(path) || typeof this.#reader.getUnread(path) === "object";
  }

  /** The project's own files that a file imports, if it was read. */
  listImported(path: string): readonly string[] {
    return this.#imported.get(path) ?? [];
  }

  /** The files that import a file, among those that were read. */
  listImporters(path: string): readonly string[] {
    return [...this.#imported].filter(([, files]) => files.includes(path)).map(([importer]) => importer);
  }

  /** A line on what a file is. Undefined for one that cannot be read, and for one that is not text if the task does not name it. */
  describe(path: string, isNamed: boolean): string | undefined {
    const source = this.#sources.get(path);
    const manifest = this.#manifests.get(path);
    if (manifest) return describeManifest(manifest);
    if (source) return describeFile(path, source.text, source.packages);
    const unread = this.#reader.getUnread(path);
    return unread === undefined || (unread === "not text" && !isNamed) ? undefined : describeUnread(path, unread);
  }

  async #study(path: string): Promise<ReadSource | undefined> {
    const text = await this.#reader.read(path);
    if (text === undefined) return undefined;
    const imports = findImports(path, text);
    const packages = imports.flatMap((specifier) => this.#dependencyOf(path, specifier));
    const source = {
      path,
      text,
      imports: imports.map((one) => packageName(path, one) ?? one),
      packages: [...new Set(packages)],
    };
    this.#sources.set(path, source);
    this.#imported.set(path, [...new Set(imports.flatMap((specifier) => resolveImport(path, specifier, this.#index)))]);
    return source;
  }

  #dependencyOf(path: string, specifier: string): string[] {
    const imported = packageName(path, specifier);
    const name = imported === undefined ? undefined : this.#dependencies.get(foldName(imported));
    return name === undefined ? [] : [name];
  }
}

/** `Actix-Web` and `actix_web` are the same. */
function foldName(name: string): string {
  return name.toLowerCase().replaceAll("-", "_");
}
