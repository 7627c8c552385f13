type Settings<Item> = {
  /** May be given some again that an earlier attempt has written. */
  write(items: Item[]): Promise<void>;
  /** Called for what could not be written until it has reported it, once per run of failures; returns whether it has. */
  failing(error: unknown, items: Item[]): boolean;
  delayMs: number;
};

const batch = 1_000;
/** Beyond this the oldest are dropped: a store that cannot be written must not fill the memory. */
const maxWaiting = 2_000;
const delayAfterFailureMs = 5_000;

/** Collects items and writes them a little later, together. Adding one never waits and never fails. */
export class WriteBehind<Item> {
  readonly #settings: Settings<Item>;
  #waiting: Item[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #failed = false;
  #isSaid = false;

  constructor(settings: Settings<Item>) {
    this.#settings = settings;
  }

  push(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length > maxWaiting) this.#waiting.shift();
    if (this.#waiting.length >= batch && !this.#failed) void this.flush();
    else this.#schedule(this.#failed ? delayAfterFailureMs : this.#settings.delayMs);
  }

  /** Resolves when all that was pushed before is written, or could not be. */
  async flush(): Promise<void> {
    // What is being written now was pushed earlier; what was pushed since goes next.
    await this.#writing;
    if (this.#waiting.length > 0) {
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
      });
    }
    await this.#writing;
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const items = this.#waiting;
    this.#waiting = [];
    try {
      await this.#settings.write(items);
      this.#failed = false;
      this.#isSaid = false;
    } catch (error) {
      this.#waiting = [...items, ...this.#waiting].slice(-maxWaiting);
      if (!this.#isSaid) this.#isSaid = this.#settings.failing(error, items);
      this.#failed = true;
    }
    if (this.#waiting.length > 0) this.#schedule(this.#failed ? delayAfterFailureMs : this.#settings.delayMs);
  }

  /** Does not keep the process from ending: the end flushes. */
  #schedule(delayMs: number): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, delayMs);
    this.#timer.unref();
  }

  /** Tries once more and forgets the rest. */
  async stop(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }
}
