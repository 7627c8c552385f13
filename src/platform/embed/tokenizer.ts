/** Words of a text and their rows in the encoder's table. `scripts/encoder/tokens.py` and `prepare.py` do the same for training. */

const maxWordLetters = 20;
const maxPieces = 6;
const minFirstPiece = 3;
/** What comes after this many words changes little, and a text may be of any size. */
const maxWords = 2_000;

const camelCase = /([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g;
const word = /[a-z][a-z0-9]*|[0-9]+/g;
const marks = () => /\p{M}/gu;

/** Lower-case words; identifiers fall apart at capitals and at everything that is not a letter or digit. */
function splitWords(text: string): string[] {
  const plain = /^[\0-\x7f]*$/.test(text) ? text : text.normalize("NFKD").replace(marks(), "");
  const separate = (_: string, a?: string, b?: string, c?: string, d?: string) => `${a ?? c} ${b ?? d}`;
  // Twice: the matches of "aBCd" overlap.
  const split = plain.replace(camelCase, separate).replace(camelCase, separate).toLowerCase();
  const bare = split.replaceAll(/['’]s /g, " ").replaceAll(/['’]/g, "");
  return bare.match(word)?.slice(0, maxWords) ?? [];
}

const newline = 10;
const pieceMark = "##";

/**
 * The encoder's words and the rows that they have. Found by a hash over the file's own bytes: a map of 30,000 texts would take three
 * times as long to make, and that is most of what loading costs.
 */
export class Vocabulary {
  readonly #bytes: Uint8Array;
  /** By row: where its word begins; the next one's beginning is one more than its end. */
  readonly #starts: Uint32Array;
  /** Rows, counted from 1, at the place of their word's hash or behind it. */
  readonly #slots: Int32Array;
  readonly size: number;

  /** One word a line, in plain ASCII. */
  constructor(bytes: Uint8Array, rows: number) {
    this.#bytes = bytes;
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(rows * 2)));
    this.#starts = new Uint32Array(rows + 1);
    this.size = indexLines(bytes, this.#starts, this.#slots);
  }

  rowsOf(text: string): number[] {
    return splitWords(text).flatMap((found) => {
      const row = this.#find("", found, 0, found.length);
      return row === undefined ? this.#piecesOf(found) : [row];
    });
  }

  /** An unknown word by the longest pieces that are known. */
  #piecesOf(unknown: string): number[] {
    const rows: number[] = [];
    for (let at = 0; at < unknown.length && rows.length < maxPieces; ) {
      const found = this.#longestPiece(unknown, at);
      if (found) rows.push(found.row);
      at = found?.end ?? at + 1;
    }
    return rows;
  }

  #longestPiece(unknown: string, at: number): { row: number; end: number } | undefined {
    for (let end = Math.min(unknown.length, at + maxWordLetters); end > at; end--) {
      if (at === 0 && end - at < minFirstPiece && end !== unknown.length) return undefined;
      const row = this.#find(at === 0 ? "" : pieceMark, unknown, at, end);
      if (row !== undefined) return { row, end };
    }
    return undefined;
  }

  #find(mark: string, text: string, from: number, to: number): number | undefined {
    const word = mark + text.slice(from, to);
    let hash = hashStart;
    for (let at = 0; at < word.length; at++) hash = hashOn(hash, word.charCodeAt(at));
    for (let slot = slotOf(hash, this.#slots); ; slot = (slot + 1) % this.#slots.length) {
      const row = (this.#slots[slot] as number) - 1;
      if (row < 0) return undefined;
      if (this.#isAt(row, word)) return row;
    }
  }

  #isAt(row: number, word: string): boolean {
    const start = this.#starts[row] as number;
    if ((this.#starts[row + 1] as number) - 1 - start !== word.length) return false;
    for (let at = 0; at < word.length; at++) if (this.#bytes[start + at] !== word.charCodeAt(at)) return false;
    return true;
  }
}

/** Returns how many lines there are; no more than there is room for are looked at. */
function indexLines(bytes: Uint8Array, starts: Uint32Array, slots: Int32Array): number {
  let [row, hash] = [0, hashStart];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte !== newline) {
      hash = hashOn(hash, byte);
      continue;
    }
    if (++row >= starts.length) return row;
    starts[row] = at + 1;
    let slot = slotOf(hash, slots);
    while (slots[slot] !== 0) slot = (slot + 1) % slots.length;
    slots[slot] = row;
    hash = hashStart;
  }
  return row;
}

/** FNV-1a. */
const hashStart = 0x811c9dc5;

function hashOn(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

function slotOf(hash: number, slots: Int32Array): number {
  return (hash ^ (hash >>> 15)) & (slots.length - 1);
}
