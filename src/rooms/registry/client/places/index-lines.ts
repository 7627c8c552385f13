import { isRecord } from "../../../../kernel/json.ts";
import type { ForkMark } from "../definitions/definition.ts";
import type { Kind } from "../types.ts";

/** What a list shows of a file, kept so that a file that did not change need not be read again. */
export type IndexedFile =
  | { kind: Kind; name: string; version: string; description?: string; tags?: string[]; fork?: ForkMark }
  | { fault: string; line?: number }
  | { other: true };

/** A file as it was when it had this stamp. */
export type IndexedLine = { path: string; stamp: string; file: IndexedFile };

const header = "forge definitions 4\n";
const lineEnd = 0x0a;

/**
 * What is known of files, a line for each, in the order in which a scan meets them. They stay bytes, and a line is parsed when it
 * is needed: ten thousand definitions as objects took more memory than the rest of the program.
 */
export class IndexLines {
  /** As they are stored, with the header. */
  readonly bytes: Buffer;

  constructor(bytes: Buffer = Buffer.from(header)) {
    const isOurs = bytes.toString("utf8", 0, header.length) === header;
    // Without its end, the last line was cut off.
    this.bytes = isOurs ? bytes.subarray(0, bytes.lastIndexOf(lineEnd) + 1) : Buffer.from(header);
  }

  /** Lines of these by where they begin, and new ones. */
  with(lines: readonly (number | string)[]): IndexLines {
    const parts = lines.map((line) =>
      typeof line === "number" ? this.bytes.subarray(line, this.endOf(line)) : Buffer.from(line),
    );
    return new IndexLines(Buffer.concat([Buffer.from(header), ...parts]));
  }

  /** Where each line begins. */
  *starts(): Generator<number> {
    for (let start = header.length; start < this.bytes.length; start = this.endOf(start)) yield start;
  }

  /** Without its end; empty after the last line. */
  textAt(start: number): string {
    return this.bytes.toString("utf8", start, this.endOf(start) - 1);
  }

  /** Where the line that begins there ends and the next one begins. */
  endOf(start: number): number {
    return this.bytes.indexOf(lineEnd, start) + 1;
  }
}

/** Finds files in lines. Asked in the order of the lines, it looks at each line once. */
export class LineFinder {
  readonly #lines: IndexLines;
  #at = header.length;
  /** Where the line of a path begins; made when a path is asked for out of order. */
  #places: Map<string, number> | undefined;

  constructor(lines: IndexLines) {
    this.#lines = lines;
  }

  /** Whether every line was asked for, one after another: there is none of a file that is gone. */
  get isAtEnd(): boolean {
    return this.#places === undefined && this.#at >= this.#lines.bytes.length;
  }

  /** A file and where its line begins; undefined where the file is not known as it is now. */
  find(path: string, stamp: string): { start: number; file: IndexedFile } | undefined {
    const wanted = `${JSON.stringify(path)}\t`;
    const next = this.#lines.textAt(this.#at);
    const isNext = next.startsWith(wanted);
    const start = isNext ? this.#at : this.#lookUp(wanted);
    if (start === undefined) return undefined;
    this.#at = this.#lines.endOf(start);
    const text = isNext ? next : this.#lines.textAt(start);
    if (!text.startsWith(`${stamp}\t`, wanted.length)) return undefined;
    const file = parseFile(text.slice(wanted.length + stamp.length + 1));
    return file && { start, file };
  }

  #lookUp(wanted: string): number | undefined {
    this.#places ??= this.#findPlaces();
    return this.#places.get(wanted);
  }

  #findPlaces(): Map<string, number> {
    const places = new Map<string, number>();
    for (const start of this.#lines.starts()) {
      const text = this.#lines.textAt(start);
      places.set(text.slice(0, text.indexOf("\t") + 1), start);
    }
    return places;
  }
}

/** JSON has no tab or line break of its own, so both end a part. */
export function formatLine({ path, stamp, file }: IndexedLine): string {
  return `${JSON.stringify(path)}\t${stamp}\t${JSON.stringify(file)}\n`;
}

/** What is not what was written counts as not known. */
function parseFile(json: string): IndexedFile | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) && ("name" in value || "fault" in value || "other" in value)
      ? (value as IndexedFile)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Of a line that was found before. */
export function parseLine(text: string): IndexedLine {
  const { path, stamp } = parseLineStart(text);
  return { path, stamp, file: JSON.parse(text.slice(text.indexOf("\t", text.indexOf("\t") + 1) + 1)) as IndexedFile };
}

export function parseLineStart(text: string): { path: string; stamp: string } {
  const first = text.indexOf("\t");
  return {
    path: JSON.parse(text.slice(0, first)) as string,
    stamp: text.slice(first + 1, text.indexOf("\t", first + 1)),
  };
}
