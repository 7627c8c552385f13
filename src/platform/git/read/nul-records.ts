const maxRecordBytes = 8192;
const nul = 0;

/** Splits a stream at NUL bytes. Of a record longer than any real name, only the beginning is kept. */
export class NulRecords {
  readonly #take: (record: Buffer) => void;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(take: (record: Buffer) => void) {
    this.#take = take;
  }

  write(chunk: Buffer): void {
    let from = 0;
    for (let to = chunk.indexOf(nul); to >= 0; to = chunk.indexOf(nul, from)) {
      this.#keep(chunk.subarray(from, to));
      this.#take(this.#pieces.length === 1 && this.#pieces[0] ? this.#pieces[0] : Buffer.concat(this.#pieces));
      this.#pieces = [];
      this.#length = 0;
      from = to + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(piece: Buffer): void {
    const kept = piece.subarray(0, Math.max(0, maxRecordBytes - this.#length));
    if (kept.length === 0) return;
    this.#pieces.push(kept);
    this.#length += kept.length;
  }
}
