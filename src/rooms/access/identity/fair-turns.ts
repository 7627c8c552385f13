/** Runs a few works at once. Sites take turns, so that one that sends many keeps another waiting for one of them only. */
export class FairTurns {
  readonly #maxRunning: number;
  /** What waits, by site; the site whose turn is next is first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #running = 0;

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  async run<T>(site: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#maxRunning) await this.#wait(site);
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#startNext();
    }
  }

  #wait(site: string): Promise<void> {
    return new Promise((resolve) => {
      const own = this.#waiting.get(site) ?? [];
      own.push(resolve);
      this.#waiting.set(site, own);
    });
  }

  /** Who comes next takes the place of the one that ended. */
  #startNext(): void {
    const [next] = this.#waiting;
    if (!next) return void this.#running--;
    const [site, [first, ...others]] = next;
    this.#waiting.delete(site);
    if (others.length > 0) this.#waiting.set(site, others);
    first?.();
  }
}
