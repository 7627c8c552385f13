import { mkdirSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../host/error-code.ts";
import { closeQuietly } from "../close-quietly.ts";
import { fileError, systemError } from "../file-error.ts";
import { requirePinned } from "../pinned-folders.ts";
import { syncFolder } from "../write/sync.ts";
import { type FileOpener, type OpenedEntry, systemOpener } from "./file-opener.ts";
import { showPath } from "./relative-path.ts";

type MakeFolders = { mode: number };

/** What was opened, and the names from the top of the tree to where it really is. */
export type Found = OpenedEntry & { names: string[] };

/** A folder and everything below it. Whatever is opened through it is in it, even if others move things at the same time. */
export class Tree {
  readonly path: string;
  readonly opening: FileOpener;
  /** The folder that must exist, and the way from there to the top of the tree. */
  readonly #base: string;
  readonly #way: readonly string[];

  private constructor(base: string, way: readonly string[], how: FileOpener) {
    this.#base = base;
    this.#way = way;
    this.path = join(base, ...way);
    this.opening = how;
  }

  /** The folder itself may be reached through links: the caller that names it is trusted. */
  static at(folder: string, how: FileOpener = systemOpener): Tree {
    requirePinned(folder);
    return new Tree(realFolder(folder), [], how);
  }

  /** The tree of an inner folder, which need not exist yet. A link in its place does not count as the folder. */
  within(names: readonly string[]): Tree {
    return new Tree(this.#base, [...this.#way, ...names], this.opening);
  }

  /** Opens what is at a path, through links that stay in the tree. */
  look(names: readonly string[]): Found {
    const opened = this.opening.look(join(this.path, ...names));
    this.#requireInPlace(opened);
    const way = this.#wayTo(opened.realPath);
    if (way) return { ...opened, names: way };
    this.close(opened);
    throw leadsOut(names);
  }

  /** Does something with a regular file that is open for reading. */
  async withFile<T>(names: readonly string[], work: (file: Found) => Promise<T>): Promise<T> {
    const found = this.look(names);
    try {
      if (found.kind !== "file") throw systemError(found.kind === "folder" ? "EISDIR" : "ENXIO");
      return await this.withOpenFile(found, (descriptor) => work({ ...found, descriptor }));
    } finally {
      this.close(found);
    }
  }

  async withOpenFile<T>(found: OpenedEntry, work: (descriptor: number) => Promise<T>): Promise<T> {
    const descriptor = this.opening.readable(found);
    try {
      return await work(descriptor);
    } finally {
      if (descriptor !== found.descriptor) closeQuietly(descriptor);
    }
  }

  /** Opens a folder to change something in. No link may be on the way: what is changed must be what was named. */
  async folder(names: readonly string[], make?: MakeFolders): Promise<OpenedEntry> {
    try {
      return this.#exactFolder(names);
    } catch (error) {
      if (!make || errorCode(error) !== "ENOENT") throw error;
      return await this.#makeFolders(names, make);
    }
  }

  close({ descriptor }: OpenedEntry): void {
    closeQuietly(descriptor);
  }

  #exactFolder(names: readonly string[]): OpenedEntry {
    const path = join(this.path, ...names);
    const folder = this.opening.folder(path);
    this.#requireInPlace(folder);
    if (folder.realPath === path) return folder;
    this.close(folder);
    const way = this.#wayTo(folder.realPath);
    throw way ? isElsewhere(names, way) : leadsOut(names);
  }

  async #makeFolders(names: readonly string[], { mode }: MakeFolders): Promise<OpenedEntry> {
    const base = new Tree(this.#base, [], this.opening);
    const whole = [...this.#way, ...names];
    let folder = base.#exactFolder([]);
    for (const [index, name] of whole.entries()) {
      try {
        await this.#makeFolder(folder, name, mode);
        const inner = base.#exactFolder(whole.slice(0, index + 1));
        this.close(folder);
        folder = inner;
      } catch (error) {
        this.close(folder);
        throw error;
      }
    }
    return folder;
  }

  async #makeFolder(parent: OpenedEntry, name: string, mode: number): Promise<void> {
    try {
      mkdirSync(this.opening.pathIn(parent, name), { mode });
    } catch (error) {
      if (errorCode(error) === "EEXIST") return;
      throw error;
    }
    await syncFolder(parent.descriptor);
  }

  /** Looked at after opening: what was opened before the project's folder was replaced is still the project's. */
  #requireInPlace(opened: OpenedEntry): void {
    try {
      requirePinned(this.#base);
    } catch (error) {
      this.close(opened);
      throw error;
    }
  }

  /** The names from the top of the tree to a real path; undefined where it is outside. */
  #wayTo(realPath: string): string[] | undefined {
    const way = relative(this.path, realPath);
    if (way === "") return [];
    if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) || !isAbsolute(realPath)) return undefined;
    return way.split(sep);
  }
}

function realFolder(folder: string): string {
  try {
    const path = realpathSync.native(folder);
    // Bytes that are no UTF-8 would make two different folders look alike.
    if (path.includes("\uFFFD")) throw systemError("EINVAL");
    return path;
  } catch (error) {
    throw fileError(error, folder);
  }
}

function leadsOut(names: readonly string[]): ForgeError {
  const path = names.join("/");
  return new ForgeError(
    "PERMISSION_DENIED",
    `${showPath(path)} leads outside the project's folder, or through a link.`,
    {
      details: { path },
      next: ["Use a path inside the project that has no links in it."],
    },
  );
}

function isElsewhere(names: readonly string[], real: readonly string[]): ForgeError {
  const path = names.join("/");
  const realPath = real.join("/");
  return new ForgeError(
    "PERMISSION_DENIED",
    `${showPath(path)} is another name for ${showPath(realPath)}; a change must use the real path.`,
    { details: { path, realPath }, next: [`Use ${showPath(realPath)}.`] },
  );
}
