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

export class Vocabulary {
  readonly #rows = new Map<string, number>();

  constructor(words: readonly string[]) {
    // A list of pairs would be an object for each word, which doubles the time that loading takes.
    for (let row = 0; row < words.length; row++) this.#rows.set(words[row] as string, row);
  }

  get size(): number {
    return this.#rows.size;
  }

  rowsOf(text: string): number[] {
    return splitWords(text).flatMap((found) => {
      const row = this.#rows.get(found);
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
      const row = this.#rows.get(at === 0 ? unknown.slice(0, end) : `##${unknown.slice(at, end)}`);
      if (row !== undefined) return { row, end };
    }
    return undefined;
  }
}
