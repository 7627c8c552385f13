import { createHash } from "node:crypto";
import { isRecord } from "../../../../kernel/json.ts";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import type { Cache } from "../cache.ts";
import type { ForkMark } from "../definitions/definition.ts";
import type { Kind } from "../types.ts";

/** What a list shows of a file, kept so that a file that did not change need not be read again. */
export type IndexedFile =
  | { kind: Kind; name: string; version: string; description?: string; tags?: string[]; fork?: ForkMark }
  | { fault: string; line?: number }
  | { other: true };

export type Stored = [stamp: string, file: IndexedFile];

const format = 3;

/** The persistent index of one folder. Losing it costs time and nothing else. */
export class DefinitionIndex {
  readonly #cache: Cache;
  readonly #key: string;
  #files = new Map<string, Stored>();
  #isLoaded = false;
  #isChanged = false;

  constructor(cache: Cache, folder: string) {
    this.#cache = cache;
    this.#key = createHash("sha256").update(`${format}\n${folder}`).digest("hex");
  }

  async load(): Promise<void> {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const stored = await this.#cache.readIndex(this.#key);
    if (!isRecord(stored) || stored["format"] !== format || !Array.isArray(stored["files"])) return;
    this.#files = new Map(stored["files"] as [string, Stored][]);
  }

  get(path: string, stamp: string): Stored | undefined {
    const found = this.#files.get(path);
    return found?.[0] === stamp ? found : undefined;
  }

  set(path: string, stamp: string, file: IndexedFile): void {
    this.#files.set(path, [stamp, file]);
    this.#isChanged = true;
  }

  /** Keeps only these files, and writes what changed. */
  async save(paths: ReadonlySet<string>): Promise<void> {
    for (const path of this.#files.keys()) {
      if (paths.has(path)) continue;
      this.#files.delete(path);
      this.#isChanged = true;
    }
    if (!this.#isChanged) return;
    this.#isChanged = false;
    await this.#cache.writeIndex(this.#key, { format, files: [...this.#files] });
  }
}

/** Changes whenever a file does; undefined for what is not a regular file, which is read each time. */
export function stampOf(path: string): string | undefined {
  const entry = entryAt(path);
  return entry?.isFile() ? `${entry.mtimeMs}:${entry.ctimeMs}:${entry.size}:${entry.ino}` : undefined;
}
