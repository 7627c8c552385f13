/** Lets one piece of work at a time be done on an execution, here; those who come meanwhile wait in order. */
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

  /** When all that is under way is done. */
  async waitForAll(): Promise<void> {
    await Promise.allSettled(this.#last.values());
  }
}
