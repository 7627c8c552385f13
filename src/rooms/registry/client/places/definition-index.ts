import { createHash } from "node:crypto";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import type { Cache } from "../cache.ts";
import { IndexLines } from "./index-lines.ts";

/** The persistent index of one folder. Losing it costs time and nothing else. */
export class DefinitionIndex {
  readonly #cache: Cache;
  readonly #key: string;

  constructor(cache: Cache, folder: string) {
    this.#cache = cache;
    this.#key = createHash("sha256").update(`4\n${folder}`).digest("hex");
  }

  async read(): Promise<IndexLines> {
    return new IndexLines(await this.#cache.readIndex(this.#key));
  }

  async write({ bytes }: IndexLines): Promise<void> {
    await this.#cache.writeIndex(this.#key, bytes);
  }
}

/** Changes whenever a file does; undefined for what is not a regular file, which is read each time. */
export function stampOf(path: string): string | undefined {
  const entry = entryAt(path);
  return entry?.isFile() ? `${entry.mtimeMs}:${entry.ctimeMs}:${entry.size}:${entry.ino}` : undefined;
}
