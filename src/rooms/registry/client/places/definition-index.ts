import { createHash } from "node:crypto";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import type { Cache } from "../cache.ts";
import type { ForkMark } from "../definitions/definition.ts";
import type { Kind } from "../types.ts";

/** What a list shows of a file, kept so that a file that did not change need not be read again. */
export type IndexedFile =
  | { kind: Kind; name: string; version: string; description?: string; tags?: string[]; fork?: ForkMark }
  | { fault: string; line?: number }
  | { other: true };

export type IndexLine = { path: string; stamp: string; file: IndexedFile };

const header = "forge definitions 4\n";
const lineEnd = 0x0a;

/**
 * The persistent index of one folder: a line for each file, in the order in which a scan meets them. It is read line by line and
 * not kept: ten thousand definitions parsed at once took more memory than the rest of the program. Losing it costs time and
 * nothing else.
 */
export class DefinitionIndex {
  readonly #cache: Cache;
  readonly #key: string;

  constructor(cache: Cache, folder: string) {
    this.#cache = cache;
    this.#key = createHash("sha256").update(`${header}${folder}`).digest("hex");
  }

  async open(): Promise<WrittenIndex> {
    const bytes = await this.#cache.readIndex(this.#key);
    const isOurs = bytes?.toString("utf8", 0, header.length) === header;
    return new WrittenIndex(isOurs ? bytes : Buffer.alloc(0), header.length);
  }

  async write(lines: Iterable<IndexLine>): Promise<void> {
    const parts = [header];
    for (const { path, stamp, file } of lines) parts.push(`${startOf(path, stamp)}${JSON.stringify(file)}\n`);
    await this.#cache.writeIndex(this.#key, parts.join(""));
  }
}

/** An index as it was written. Asked for files in the order of its lines, it looks at each line once. */
export class WrittenIndex {
  readonly #bytes: Buffer;
  #at: number;
  /** Where the line of a path begins; made when a path is asked for out of order. */
  #places: Map<string, number> | undefined;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  /** Whether every line was asked for, one after another: the index has nothing that is gone. */
  get isReadToEnd(): boolean {
    return this.#places === undefined && this.#at >= this.#bytes.length;
  }

  /** Undefined where the file is not known as it is now. */
  find(path: string, stamp: string): IndexedFile | undefined {
    const start = startOf(path, stamp);
    const line = this.#next(path) ?? this.#lookUp(path);
    return line?.startsWith(start) ? parseFile(line.slice(start.length)) : undefined;
  }

  /** The next line, if it is that path's. */
  #next(path: string): string | undefined {
    const line = this.#lineAt(this.#at);
    if (line === undefined || !line.startsWith(`${JSON.stringify(path)}\t`)) return undefined;
    this.#at += Buffer.byteLength(line) + 1;
    return line;
  }

  #lookUp(path: string): string | undefined {
    this.#places ??= this.#findPlaces();
    const place = this.#places.get(JSON.stringify(path));
    if (place === undefined) return undefined;
    const line = this.#lineAt(place);
    this.#at = place + Buffer.byteLength(line ?? "") + 1;
    return line;
  }

  #findPlaces(): Map<string, number> {
    const places = new Map<string, number>();
    for (let start = header.length; start < this.#bytes.length; ) {
      const tab = this.#bytes.indexOf("\t", start);
      const end = this.#bytes.indexOf(lineEnd, start);
      if (tab < 0 || end < 0) break;
      places.set(this.#bytes.toString("utf8", start, tab), start);
      start = end + 1;
    }
    return places;
  }

  #lineAt(start: number): string | undefined {
    const end = start < this.#bytes.length ? this.#bytes.indexOf(lineEnd, start) : -1;
    return end < 0 ? undefined : this.#bytes.toString("utf8", start, end);
  }
}

/** JSON has no tab or line break of its own, so both end a part. */
function startOf(path: string, stamp: string): string {
  return `${JSON.stringify(path)}\t${stamp}\t`;
}

/** What is not what was written counts as not known. */
function parseFile(json: string): IndexedFile | undefined {
  try {
    return JSON.parse(json) as IndexedFile;
  } catch {
    return undefined;
  }
}

/** Changes whenever a file does; undefined for what is not a regular file, which is read each time. */
export function stampOf(path: string): string | undefined {
  const entry = entryAt(path);
  return entry?.isFile() ? `${entry.mtimeMs}:${entry.ctimeMs}:${entry.size}:${entry.ino}` : undefined;
}
