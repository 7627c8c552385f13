import { isUtf8 } from "../../../platform/host/utf8.ts";

/** A line of input, or the two ends of one that was too long to keep or is not text. */
export type Line = { text: string } | { fault: "too-long" | "not-utf8"; head: string; tail: string };

const keptEnds = 512;
const newline = 10;

/** Cuts a byte stream into lines without ever holding more than `limit` bytes of one. */
export class LineSplitter {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #head = Buffer.alloc(0);

  constructor(limit: number) {
    this.#limit = limit;
  }

  *push(chunk: Buffer): Generator<Line> {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, end));
      yield this.#take();
      from = end + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }

  /** What is left when the stream ends without a last newline. */
  *end(): Generator<Line> {
    if (this.#length > 0) yield this.#take();
  }

  #add(piece: Buffer): void {
    this.#length += piece.length;
    this.#pieces.push(piece);
    if (this.#length <= this.#limit) return;
    const kept = Buffer.concat(this.#pieces);
    if (this.#head.length === 0) this.#head = Buffer.from(kept.subarray(0, keptEnds));
    this.#pieces = [Buffer.from(kept.subarray(-keptEnds))];
  }

  #take(): Line {
    const bytes = this.#pieces.length === 1 ? (this.#pieces[0] ?? this.#head) : Buffer.concat(this.#pieces);
    const line = this.#length > this.#limit ? faulty("too-long", this.#head, bytes) : lineOf(bytes);
    this.#pieces = [];
    this.#length = 0;
    this.#head = Buffer.alloc(0);
    return line;
  }
}

/** With replacement characters, something else would be stored than what was sent. */
function lineOf(bytes: Buffer): Line {
  if (isUtf8(bytes)) return { text: bytes.toString("utf8") };
  return faulty("not-utf8", bytes.subarray(0, keptEnds), bytes.subarray(-keptEnds));
}

function faulty(fault: "too-long" | "not-utf8", head: Buffer, tail: Buffer): Line {
  return { fault, head: head.toString("utf8"), tail: tail.toString("utf8") };
}
