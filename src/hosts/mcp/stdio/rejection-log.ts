const quietMs = 1_000;

/** Logs rejected messages, at most one line a second: a flood of them must not become a flood of logs. */
export class RejectionLog {
  readonly #warn: (text: string) => void;
  readonly #now: () => number;
  #lastAt = Number.NEGATIVE_INFINITY;
  #unlogged = 0;

  constructor(warn: (text: string) => void, now: () => number = () => performance.now()) {
    this.#warn = warn;
    this.#now = now;
  }

  note(why: string): void {
    const now = this.#now();
    if (now - this.#lastAt < quietMs) {
      this.#unlogged++;
      return;
    }
    const more = this.#unlogged === 0 ? "" : ` (${this.#unlogged} more since the last line)`;
    this.#lastAt = now;
    this.#unlogged = 0;
    this.#warn(`rejected a message: ${why}${more}`);
  }
}
