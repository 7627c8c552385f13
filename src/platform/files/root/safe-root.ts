import { accessSync, constants } from "node:fs";
import { errorCode } from "../../host/error-code.ts";
import { decodeText, type LineRange, selectLines } from "../decode-text.ts";
import { explainErrors, systemError } from "../file-error.ts";
import { assertChangeable, assertReadable, assertShowable } from "../protected-names.ts";
import type { Trash, TrashEntry } from "../trash/trash.ts";
import { type Place, writeDurably } from "../write/durable-write.ts";
import { assertContentFits, assertUnchanged, conflict, type Expectation, wrongKind } from "./expectations.ts";
import type { EntryStats, FileOpener, OpenedEntry } from "./file-opener.ts";
import { assertNotInstalled } from "./installed-place.ts";
import { type FolderContent, listFolder } from "./list-folder.ts";
import { readAll, sha256From, sha256Of } from "./read-all.ts";
import { parsePath } from "./relative-path.ts";
import { type Found, Tree } from "./tree.ts";

export type FileContent = { path: string; bytes: Buffer; sha256: string };
export type FileText = { path: string; text: string; lines: number; hasBom: boolean; sha256: string };
export type EntryInfo = { path: string; kind: "file" | "folder" | "other"; bytes: number; modifiedAt: number };
export type Written = { path: string; bytes: number; sha256: string; created: boolean };

type Limits = { readBytes: number; writeBytes: number; hashBytes: number; entries: number };

type RootRules = {
  limits?: Partial<Limits>;
  /** Forge made the folder for itself, so no name in it is protected; what is read there must not be shown. */
  isOwn?: boolean;
  /** Links to what the registry installed are followed, too: whoever reads notes whose text it is. */
  notesInstalled?: boolean;
};

const megabyte = 1_048_576;
const defaultLimits: Limits = {
  readBytes: 10 * megabyte,
  writeBytes: 10 * megabyte,
  hashBytes: 1024 * megabyte,
  entries: 10_000,
};

/**
 * The only way to a project's files for anything whose path comes from outside: an assistant's argument, a ticket, a file in
 * the repository. Paths are relative to the root. Links are followed for reading where they stay inside; a change must name
 * the real place. Nothing is checked and then opened: it is opened, and then it is seen where that is.
 */
export class SafeRoot {
  readonly #tree: Tree;
  readonly #limits: Limits;
  readonly #isOwn: boolean;
  readonly #notesInstalled: boolean;

  private constructor(tree: Tree, { limits, isOwn = false, notesInstalled = false }: RootRules) {
    this.#tree = tree;
    this.#limits = { ...defaultLimits, ...limits };
    this.#isOwn = isOwn;
    this.#notesInstalled = notesInstalled;
  }

  /** `opening`: default is the best way that the system has. */
  static at(folder: string, { opening, ...rules }: RootRules & { opening?: FileOpener } = {}): SafeRoot {
    return new SafeRoot(Tree.at(folder, opening), rules);
  }

  /**
   * A root of its own for the part of Forge that owns an inner folder, protected or not: protection counts from the root
   * downwards. The folder need not exist; a link in its place is refused.
   */
  within(path: string): SafeRoot {
    const rules = { limits: this.#limits, isOwn: this.#isOwn, notesInstalled: this.#notesInstalled };
    return new SafeRoot(this.#tree.within(parsePath(path)), rules);
  }

  async read(path: string, { maxBytes = this.#limits.readBytes }: { maxBytes?: number } = {}): Promise<FileContent> {
    return await explainErrors(path, () =>
      this.#withFile(path, async (found, descriptor, names) => {
        if (!this.#isOwn) for (const one of [names, found.names]) assertShowable(one);
        const bytes = await readAll(descriptor, found.stats.size, { bytes: maxBytes, path });
        return { path: found.names.join("/"), bytes, sha256: sha256Of(bytes) };
      }),
    );
  }

  /** `lines` counts those of the whole file; the hash is the whole file's too. */
  async readText(path: string, options: { maxBytes?: number; lines?: LineRange } = {}): Promise<FileText> {
    const { bytes, ...file } = await this.read(path, options);
    const { text, hasBom } = decodeText(bytes, path);
    const selected = selectLines(text, options.lines ?? { from: 1, to: Number.POSITIVE_INFINITY });
    return { ...file, hasBom, ...selected };
  }

  async sha256(path: string): Promise<string> {
    return await explainErrors(path, () =>
      this.#withFile(path, (found, descriptor) => this.#hash(descriptor, found.stats, path)),
    );
  }

  /** What a path leads to; undefined where there is nothing. */
  async stat(path: string): Promise<EntryInfo | undefined> {
    return await explainErrors(path, async () => {
      try {
        return await this.#withEntry(path, async ({ kind, stats, names }) => ({
          path: names.join("/"),
          kind: kind === "link" ? "other" : kind,
          bytes: Number(stats.size),
          modifiedAt: Number(stats.mtimeNs / 1_000_000n),
        }));
      } catch (error) {
        if (errorCode(error) === "ENOENT") return undefined;
        throw error;
      }
    });
  }

  /** One folder's entries, by name. Links are named as links, not followed. */
  async list(path = "", { maxEntries = this.#limits.entries }: { maxEntries?: number } = {}): Promise<FolderContent> {
    return await explainErrors(path || ".", () =>
      this.#withEntry(path, async (found) => {
        if (found.kind !== "folder") throw wrongKind(path, "folder", found.kind);
        return listFolder(this.#tree.opening.pathIn(found), maxEntries);
      }),
    );
  }

  /** Writes a whole file, with the folders it needs. An existing file keeps its permissions. */
  async write(path: string, content: string | Uint8Array, expected: Expectation = {}): Promise<Written> {
    const names = this.#requireChangeable(path);
    const bytes = assertContentFits(path, content, this.#limits.writeBytes);
    const mayBeNew = expected.sha256 === undefined && expected.state !== "present";
    return await explainErrors(path, () =>
      this.#withPlace(names, mayBeNew, async (place, found) => {
        if (!found && !mayBeNew) throw systemError("ENOENT");
        if (found && expected.state === "absent") throw systemError("EEXIST");
        if (found) await this.#expect(path, found, expected);
        await writeDurably(place, bytes, {
          ...(found && keepAttributes(found.stats)),
          mustBeNew: !found,
          beforePlacing: () => found && expected.sha256 !== undefined && assertUnchanged(path, place, found.stats),
        });
        return { path: names.join("/"), bytes: bytes.length, sha256: sha256Of(bytes), created: !found };
      }),
    );
  }

  /** Moves a file to the trash. */
  async delete(path: string, trash: Trash, expected: Pick<Expectation, "sha256"> = {}): Promise<TrashEntry> {
    const names = this.#requireChangeable(path);
    return await explainErrors(path, () =>
      this.#withPlace(names, false, async (place, found) => {
        if (!found) throw systemError("ENOENT");
        await this.#expect(path, found, expected);
        return await trash.take(place, found, names.join("/"));
      }),
    );
  }

  /** Puts a deleted file back where it was; what has taken its place stays. */
  async restore(id: string, trash: Trash): Promise<TrashEntry> {
    const entry = await explainErrors(id, () => trash.entry(id));
    const names = this.#requireChangeable(entry.path);
    return await explainErrors(entry.path, () =>
      this.#withPlace(names, true, async (place, found) => {
        if (found) throw systemError("EEXIST");
        await trash.giveBack(id, place);
        return entry;
      }),
    );
  }

  #requireChangeable(path: string): string[] {
    const names = parsePath(path);
    if (names.length === 0) throw wrongKind(path || ".", "file", "folder");
    if (!this.#isOwn) assertChangeable(names);
    return names;
  }

  async #withEntry<T>(path: string, work: (found: Found, names: readonly string[]) => Promise<T>): Promise<T> {
    const names = parsePath(path);
    if (!this.#isOwn) assertReadable(names);
    const found = this.#tree.look(names);
    try {
      if (!this.#isOwn) assertReadable(found.names);
      if (!this.#isOwn && !this.#notesInstalled) assertNotInstalled(names, found.names);
      return await work(found, names);
    } finally {
      this.#tree.close(found);
    }
  }

  async #withFile<T>(
    path: string,
    work: (found: Found, descriptor: number, names: readonly string[]) => Promise<T>,
  ): Promise<T> {
    return await this.#withEntry(path, async (found, names) => {
      if (found.kind !== "file") throw wrongKind(path, "file", found.kind);
      return await this.#tree.withOpenFile(found, (descriptor) => work(found, descriptor, names));
    });
  }

  async #withPlace<T>(
    names: readonly string[],
    mayMakeFolders: boolean,
    work: (place: Place, found: OpenedEntry | undefined) => Promise<T>,
  ): Promise<T> {
    const path = names.join("/");
    const folder = await this.#tree.folder(names.slice(0, -1), mayMakeFolders ? { mode: 0o777 } : undefined);
    try {
      const place = { opening: this.#tree.opening, folder, name: names.at(-1) ?? "" };
      const found = lookAt(place);
      try {
        if (found && found.kind !== "file") throw wrongKind(path, "file", found.kind);
        return await work(place, found);
      } finally {
        if (found) this.#tree.close(found);
      }
    } finally {
      this.#tree.close(folder);
    }
  }

  async #expect(path: string, found: OpenedEntry, expected: Pick<Expectation, "sha256">): Promise<void> {
    // A folder's owner may replace any file in it; who made a file read-only means its content.
    accessSync(this.#tree.opening.pathIn(found), constants.W_OK);
    if (expected.sha256 === undefined) return;
    const current = await this.#tree.withOpenFile(found, (descriptor) => this.#hash(descriptor, found.stats, path));
    if (current !== expected.sha256.toLowerCase())
      throw conflict(path, "has changed since it was read", { expected, currentSha256: current });
  }

  async #hash(descriptor: number, stats: EntryStats, path: string): Promise<string> {
    return await sha256From(descriptor, stats.size, { bytes: this.#limits.hashBytes, path });
  }
}

function lookAt({ opening, folder, name }: Place): OpenedEntry | undefined {
  try {
    return opening.lookAt(folder, name);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Permissions and owner of the file that is replaced. Bits that lend the owner's rights are not carried over. */
function keepAttributes({ mode, uid, gid }: EntryStats): { mode: number; owner: { uid: number; gid: number } } {
  return { mode: Number(mode) & 0o777, owner: { uid: Number(uid), gid: Number(gid) } };
}
