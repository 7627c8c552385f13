import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../host/error-code.ts";
import { makeStateFolder } from "../../state/state-folder.ts";
import { explainErrors, systemError } from "../file-error.ts";
import type { OpenedEntry } from "../root/file-opener.ts";
import { moveFound, moveToNew } from "../root/move-file.ts";
import { readAll } from "../root/read-all.ts";
import { Tree } from "../root/tree.ts";
import { type Place, writeDurably } from "../write/durable-write.ts";
import { confirmChange } from "../write/sync.ts";
import { type Manifest, manifestName, manifestText, maxManifestBytes, parseManifest } from "./trash-manifest.ts";

export type TrashEntry = Manifest & { id: string };

export type TrashLimits = { entries: number; bytes: number; ageMs: number };

const defaultLimits: TrashLimits = { entries: 500, bytes: 256 * 1_048_576, ageMs: 30 * 86_400_000 };
/** A crash between manifest and move leaves an entry without content; nobody takes longer than this over it. */
const incompleteAfterMs = 3_600_000;
const idPattern = /^\d{8}T\d{9}Z-[0-9a-f]{12}$/;
const contentName = "content";

/**
 * Where deleted files go. One folder each, named by time: `manifest.json` says what it was, `content` is the file itself.
 * The manifest is written first, so a crash leaves the file in its old place or here, and never nowhere. The oldest are
 * removed for good once there are too many, they are too large together or too old; the newest always stays.
 */
export class Trash {
  readonly #stateDir: string;
  readonly #tree: Tree;
  readonly #limits: TrashLimits;

  constructor(stateDir: string, limits: Partial<TrashLimits> = {}) {
    this.#stateDir = stateDir;
    this.#tree = Tree.at(dirname(stateDir)).within([basename(stateDir), "trash"]);
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** Takes a file out of its folder: the one that was looked at, or none. */
  async take(from: Place, found: OpenedEntry, path: string): Promise<TrashEntry> {
    const deletedAt = Date.now();
    const entry = {
      id: `${stamp(deletedAt)}-${randomBytes(6).toString("hex")}`,
      path,
      deletedAt,
      bytes: Number(found.stats.size),
    };
    makeStateFolder(this.#stateDir);
    const folder = await this.#tree.folder([entry.id], { mode: 0o700 });
    try {
      await writeDurably(this.#place(folder, manifestName), Buffer.from(manifestText(entry)), { mode: 0o600 });
      await moveFound(found, from, this.#place(folder, contentName));
      await confirmChange(path, folder.descriptor, from.folder.descriptor);
    } catch (error) {
      if (this.#sizeIn(folder) !== undefined) throw error;
      await this.#tryTidy(() => this.#remove(entry.id));
      throw restoreReason(error);
    } finally {
      this.#tree.close(folder);
    }
    await this.#tryTidy(() => this.#prune(entry.id));
    return entry;
  }

  /** Gives a file back under a name that must be free; then it is no longer here. */
  async giveBack(id: string, to: Place): Promise<void> {
    await this.#inside(id, async (folder) => {
      await moveToNew(this.#tree.opening.pathIn(folder, contentName), to);
      await confirmChange(to.name, to.folder.descriptor);
    });
    await this.#tryTidy(() => this.#remove(id));
  }

  async entry(id: string): Promise<TrashEntry> {
    return await this.#inside(id, async (folder) => {
      const manifest = await this.#manifest(id);
      if (!manifest || this.#sizeIn(folder) === undefined) throw notInTrash(id);
      return { id, ...manifest };
    });
  }

  /** What can be restored, newest first. */
  async list(): Promise<TrashEntry[]> {
    return await explainErrors("the trash", () => this.#list());
  }

  async #list(): Promise<TrashEntry[]> {
    const entries: TrashEntry[] = [];
    for (const id of await this.#ids()) {
      try {
        entries.push(await this.entry(id));
      } catch (error) {
        if (!(error instanceof ForgeError) || error.code !== "NOT_FOUND") throw error;
      }
    }
    return entries;
  }

  #place(folder: OpenedEntry, name: string): Place {
    return { opening: this.#tree.opening, folder, name };
  }

  async #inside<T>(id: string, work: (folder: OpenedEntry) => Promise<T>): Promise<T> {
    if (!idPattern.test(id)) throw notInTrash(id);
    let folder: OpenedEntry;
    try {
      folder = await this.#tree.folder([id]);
    } catch (error) {
      throw errorCode(error) === "ENOENT" ? notInTrash(id) : error;
    }
    try {
      return await work(folder);
    } finally {
      this.#tree.close(folder);
    }
  }

  async #manifest(id: string): Promise<Manifest | undefined> {
    try {
      return await this.#tree.withFile([id, manifestName], async ({ descriptor, stats }) =>
        parseManifest(await readAll(descriptor, stats.size, { bytes: maxManifestBytes, path: manifestName })),
      );
    } catch {
      return undefined;
    }
  }

  #sizeIn(folder: OpenedEntry): number | undefined {
    const content = lstatSync(this.#tree.opening.pathIn(folder, contentName), { throwIfNoEntry: false });
    return content?.isFile() ? content.size : undefined;
  }

  /** Newest first. */
  async #ids(): Promise<string[]> {
    let folder: OpenedEntry;
    try {
      folder = await this.#tree.folder([]);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    }
    try {
      const names = readdirSync(this.#tree.opening.pathIn(folder));
      return names
        .filter((name) => idPattern.test(name))
        .sort()
        .reverse();
    } finally {
      this.#tree.close(folder);
    }
  }

  /** If tidying up fails, the operation itself has not. The next one tries again. */
  async #tryTidy(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch {
      // Another process may be at it too.
    }
  }

  async #prune(newest: string): Promise<void> {
    const oldest = stamp(Date.now() - this.#limits.ageMs);
    const longGone = stamp(Date.now() - incompleteAfterMs);
    let bytes = 0;
    for (const [index, id] of (await this.#ids()).entries()) {
      await this.#tryTidy(async () => {
        const size = await this.#inside(id, async (folder) => this.#sizeIn(folder));
        bytes += size ?? 0;
        const isExcess = index >= this.#limits.entries || bytes > this.#limits.bytes || id < oldest;
        const isEmpty = size === undefined && id < longGone;
        if ((isExcess || isEmpty) && id !== newest) await this.#remove(id);
      });
    }
  }

  async #remove(id: string): Promise<void> {
    await this.#inside(id, async (folder) => {
      const path = this.#tree.opening.pathIn(folder);
      for (const name of readdirSync(path)) unlinkSync(this.#tree.opening.pathIn(folder, name));
    });
    const top = await this.#tree.folder([]);
    try {
      rmdirSync(this.#tree.opening.pathIn(top, id));
    } finally {
      this.#tree.close(top);
    }
  }
}

/** The manifest may have been written and not confirmed; the deletion it is for was not made. */
function restoreReason(error: unknown): unknown {
  const reason = error instanceof ForgeError ? error.details?.["reason"] : undefined;
  return typeof reason === "string" ? systemError(reason) : error;
}

/** A time as the beginning of a name, so that names sort by time: `20260131T093000000Z`. */
function stamp(time: number): string {
  return new Date(time).toISOString().replace(/[-:.]/g, "");
}

function notInTrash(id: string): ForgeError {
  return new ForgeError("NOT_FOUND", `The trash has no entry ${JSON.stringify(id.slice(0, 100))}.`, {
    details: { id: id.slice(0, 100) },
    next: ["List the trash to see what can be restored. The oldest entries are removed over time."],
  });
}
