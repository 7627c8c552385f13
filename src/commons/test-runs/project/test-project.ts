import { dirname, join, relative } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import * as z from "zod";
import { isRecord, tryParseJson } from "../../../kernel/json.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { realPlace } from "../../../platform/files/real-place.ts";
import { isInstalled } from "../../../platform/files/root/installed-place.ts";
import { listFolder } from "../../../platform/files/root/list-folder.ts";
import { isInside, locateRepository } from "../../../platform/git/run/locate-repository.ts";
import { readPinned } from "../../../platform/state/pinned-file.ts";

const maxFiles = 50_000;
const maxFilesInFolder = 10_000;
const maxDepth = 25;

/** What is made or fetched, and other people's tests with it. Folders that begin with a dot are left out too. */
const otherFolders = new Set([
  "node_modules",
  "bower_components",
  "vendor",
  "dist",
  "build",
  "out",
  "target",
  "coverage",
  "venv",
  "env",
  "__pycache__",
  "site-packages",
]);

const record = z.record(z.string(), z.unknown());
const manifest = z.object({
  scripts: record.optional().catch(undefined),
  dependencies: record.optional().catch(undefined),
  devDependencies: record.optional().catch(undefined),
  jest: z.unknown().optional(),
  mocha: z.unknown().optional(),
});
const packageManifest = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]).optional() });

/** Forge's own; the work trees in it have the same tests as the project, in states of their own. */
export const stateFolder = ".forge";

export type PackageManifest = z.output<typeof manifest>;

/** A project as its files tell it. Reads them and runs nothing: for looking before a person has trusted it. */
export class TestProject {
  readonly root: string;
  /** How far up its packages may be: a work tree kept inside its repository uses those of the repository. */
  readonly #top: string;
  /** The main work tree, where this is a linked one. */
  readonly #main: string | undefined;
  readonly #texts = new Map<string, string | undefined>();
  #files: Promise<string[]> | undefined;

  constructor(root: string) {
    this.root = realPlace(root);
    const main = locateRepository(this.root)?.mainWorkTree;
    this.#main = main === this.root ? undefined : main;
    this.#top = main !== undefined && isInside(this.root, main) ? main : this.root;
  }

  has(path: string): boolean {
    return entryAt(join(this.root, path)) !== undefined;
  }

  isFile(path: string): boolean {
    return entryAt(join(this.root, path))?.isFile() === true;
  }

  /** Whether the registry installed it, also behind a link: a user who trusts the project's tests has not seen its code. */
  isInstalled(path: string): boolean {
    return isInstalled(path) || isInstalled(relative(this.root, realPlace(join(this.root, path))));
  }

  /** Names in a folder; none where there is no such folder. */
  listNames(folder: string): string[] {
    if (entryAt(join(this.root, folder))?.isDirectory() !== true) return [];
    return listFolder(join(this.root, folder), maxFilesInFolder).entries.map(({ name }) => name);
  }

  hasWorktrees(): boolean {
    return this.listNames(`${stateFolder}/worktrees`).length > 0;
  }

  readText(path: string): string | undefined {
    if (!this.#texts.has(path)) {
      const read = readPinned(join(this.root, path), [this.root]);
      this.#texts.set(path, "why" in read ? undefined : read.bytes.toString());
    }
    return this.#texts.get(path);
  }

  readManifest(): PackageManifest {
    const parsed = manifest.safeParse(tryParseJson(this.readText("package.json") ?? ""));
    return parsed.success ? parsed.data : {};
  }

  /** What a package.json says under a key; undefined where it says nothing. */
  readManifestKey(path: string, key: string): unknown {
    const parsed = tryParseJson(this.readText(path) ?? "");
    return isRecord(parsed) && Object.hasOwn(parsed, key) ? parsed[key] : undefined;
  }

  dependsOn(name: string): boolean {
    const { dependencies = {}, devDependencies = {} } = this.readManifest();
    return name in dependencies || name in devDependencies;
  }

  /** The first of these paths that is there, in the project or in the repository around it; absolute. */
  findNearest(...paths: string[]): string | undefined {
    const places = this.#places().flatMap((folder) => paths.map((path) => join(folder, path)));
    return places.find((path) => entryAt(path) !== undefined);
  }

  /** The first of these paths in the main work tree, where this is a linked one; absolute. */
  findInMain(...paths: string[]): string | undefined {
    const main = this.#main;
    return main === undefined ? undefined : paths.map((path) => join(main, path)).find((path) => entryAt(path));
  }

  hasPackage(name: string): boolean {
    return this.findNearest(`node_modules/${name}/package.json`) !== undefined;
  }

  /** The script that an installed package names as its program. A package may itself be a link, as pnpm makes them. */
  findBin(name: string): string | undefined {
    const found = this.findNearest(`node_modules/${name}/package.json`);
    if (found === undefined) return undefined;
    const folder = realPlace(dirname(found));
    const read = readPinned(join(folder, "package.json"), [folder]);
    const parsed = packageManifest.safeParse("why" in read ? undefined : tryParseJson(read.bytes.toString()));
    const bin = parsed.success ? parsed.data.bin : undefined;
    const path = typeof bin === "string" ? bin : bin?.[name];
    if (path === undefined || !isInside(join(folder, path), folder)) return undefined;
    return entryAt(join(folder, path))?.isFile() ? join(dirname(found), path) : undefined;
  }

  /** The project's own files, as paths from its root with forward slashes; links are not followed. */
  listFiles(): Promise<string[]> {
    this.#files ??= this.#walk((name) => !name.startsWith(".") && !otherFolders.has(name));
    return this.#files;
  }

  /** Those too that are hidden, made or fetched; only packages and Forge's own state are left out. */
  listAllFiles(): Promise<string[]> {
    return this.#walk((name, depth) => name !== "node_modules" && (depth > 0 || name !== stateFolder));
  }

  #places(): string[] {
    const places = [this.root];
    for (let folder = this.root; folder !== this.#top && dirname(folder) !== folder; folder = dirname(folder))
      places.push(dirname(folder));
    return places;
  }

  async #walk(isEntered: (name: string, depth: number) => boolean): Promise<string[]> {
    const files: string[] = [];
    const folders = [{ path: "", depth: 0 }];
    for (let folder = folders.shift(); folder && files.length < maxFiles; folder = folders.shift()) {
      for (const { name, kind } of listQuietly(join(this.root, folder.path))) {
        const path = folder.path === "" ? name : `${folder.path}/${name}`;
        if (kind === "file") files.push(path);
        else if (kind === "folder" && isEntered(name, folder.depth) && folder.depth < maxDepth)
          folders.push({ path, depth: folder.depth + 1 });
      }
      if (folders.length % 50 === 0) await breathe();
    }
    return files;
  }
}

/** A folder may vanish, or be closed to us, while we look. */
function listQuietly(folder: string) {
  try {
    return listFolder(folder, maxFilesInFolder).entries;
  } catch {
    return [];
  }
}
