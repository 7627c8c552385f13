/** Runs one piece of work at a time for a key; others wait in order. In this process only. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>();

  isBusy(id: string): boolean {
    return this.#last.has(id);
  }

  async run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id);
    const mine = (before ?? Promise.resolve()).then(work, work);
    this.#last.set(id, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(id) === mine) this.#last.delete(id);
    }
  }

  /** Resolves when everything that has begun is done. */
  async waitForAll(): Promise<void> {
    await Promise.allSettled(this.#last.values());
  }
}
