/** Keeps the beginning and the end of a stream and counts what fell out between, so that no output can fill the memory. */
export class HeadAndTail {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #omitted = 0;

  constructor(maxBytes: number) {
    this.#half = Math.max(1, Math.floor(maxBytes / 2));
  }

  add(chunk: Buffer): void {
    const room = this.#half - this.#headBytes;
    if (room > 0) {
      const taken = chunk.subarray(0, room);
      this.#head.push(taken);
      this.#headBytes += taken.length;
    }
    const rest = chunk.subarray(Math.max(0, room));
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Trimmed only now and then: once per chunk would copy the tail over and over.
    if (this.#tailBytes > 2 * this.#half) this.#trim();
  }

  get truncated(): boolean {
    return this.#omitted > 0 || this.#tailBytes > this.#half;
  }

  /** All of it, or its two ends with a line between them that says how much is missing. */
  toBuffer(): Buffer {
    this.#trim();
    const gap = this.#omitted > 0 ? [Buffer.from(`\n[… ${this.#omitted} bytes left out …]\n`)] : [];
    return Buffer.concat([...this.#head, ...gap, ...this.#tail]);
  }

  #trim(): void {
    const excess = this.#tailBytes - this.#half;
    if (excess <= 0) return;
    this.#tail = [Buffer.from(Buffer.concat(this.#tail).subarray(excess))];
    this.#tailBytes = this.#half;
    this.#omitted += excess;
  }
}
