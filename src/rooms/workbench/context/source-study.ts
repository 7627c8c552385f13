import { findImports } from "../../../commons/code-index/imports.ts";
import type { ProjectIndex } from "../../../commons/code-index/project-index.ts";
import { packageName, resolveImport } from "../../../commons/code-index/resolve-import.ts";
import { visible } from "../../../kernel/text/visible.ts";
import type { PlacedManifest } from "../project/read-manifests.ts";
import { describeFile, describeLargeFile, describeManifest } from "./describe-file.ts";
import type { ReadSource } from "./find-patterns.ts";
import { type FileScores, weights } from "./relevance.ts";
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

  async followImports(files: readonly string[], scores: FileScores): Promise<void> {
    for (const source of await this.read(files))
      for (const path of this.#imported.get(source.path) ?? []) scores.add(path, weights.imported);
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

  rewardImporters(imported: ReadonlySet<string>, scores: FileScores): void {
    for (const [path, files] of this.#imported)
      if (files.some((file) => imported.has(file))) scores.add(path, weights.importing);
  }

  /** With a line on what it is, if known. */
  describe(path: string): { path: string; line: string }[] {
    const source = this.#sources.get(path);
    const size = this.#reader.getSize(path);
    const manifest = this.#manifests.get(path);
    if (manifest) return [{ path: visible(path), line: describeManifest(manifest) }];
    if (source) return [{ path: visible(path), line: describeFile(path, source.text, source.packages) }];
    return size === undefined ? [] : [{ path: visible(path), line: describeLargeFile(path, size) }];
  }

  /** False for files that turned out to be unreadable. */
  mayBeShown(path: string): boolean {
    return !this.#reader.hasTried(path) || this.describe(path).length > 0;
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
