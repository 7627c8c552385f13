/** Keeps telling the ledger that the process of open calls is alive. */
export class LivenessKeeper {
  readonly #renew: (ids: string[]) => Promise<void>;
  readonly #everyMs: number;
  readonly #ids = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();

  constructor(renew: (ids: string[]) => Promise<void>, everyMs: number) {
    this.#renew = renew;
    this.#everyMs = everyMs;
  }

  add(id: string): void {
    this.#ids.add(id);
    this.#timer ??= setInterval(() => this.#tick(), this.#everyMs).unref();
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  remove(id: string): void {
    this.#ids.delete(id);
    if (this.#ids.size === 0) this.#stopTimer();
  }

  /** Those still open are left to be found as interrupted. */
  async stop(): Promise<void> {
    this.#stopTimer();
    this.#ids.clear();
    await this.#renewing;
  }

  /** A renewal that fails is made up for by the next, or by the entry's own outcome. */
  #tick(): void {
    this.#renewing = this.#renew([...this.#ids]).catch(() => undefined);
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
