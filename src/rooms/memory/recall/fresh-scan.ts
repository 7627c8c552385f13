import type { MemoryStore } from "../store/memory-store.ts";
import { MemoryScan } from "./memory-scan.ts";

/** Few enough that what is read at once stays below 100 MB, however long the texts are. */
const rowsPerRead = 5_000;
/** What was replaced takes memory until everything is read again. */
const maxReplaced = 10_000;

/** All memories of a project for comparison, kept up to date with what this process and others change. */
export class FreshScan {
  readonly #store: Pick<MemoryStore, "currentChange" | "changedSince">;
  /** The embedder whose vectors are compared. */
  readonly #model: string;
  #scan = new MemoryScan();
  #seen = 0;
  #reading: Promise<void> | undefined;

  constructor(store: Pick<MemoryStore, "currentChange" | "changedSince">, model: string) {
    this.#store = store;
    this.#model = model;
  }

  /** With everything that was changed until now. */
  async refresh(): Promise<MemoryScan> {
    this.#reading ??= this.#readChanges().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
    return this.#scan;
  }

  /** A model may return vectors of another length under the same name: those that are stored cannot be compared with them. */
  async refreshFor(dimensions: number): Promise<MemoryScan> {
    while (this.#reading) await this.#reading;
    if (this.#scan.dimensions === 0 || this.#scan.dimensions === dimensions) return this.#scan;
    this.#startAgain(dimensions);
    return this.refresh();
  }

  #startAgain(dimensions: number): void {
    this.#scan = new MemoryScan(dimensions);
    this.#seen = 0;
  }

  async #readChanges(): Promise<void> {
    if ((await this.#store.currentChange()) === this.#seen) return;
    const { replaced, size, dimensions } = this.#scan;
    if (replaced > Math.max(size, maxReplaced)) this.#startAgain(dimensions);
    for (;;) {
      const rows = await this.#store.changedSince(this.#seen, this.#model, rowsPerRead);
      if (!rows) return;
      this.#scan.putAll(rows);
      for (const seq of rows.gone) this.#scan.remove(seq);
      this.#seen = rows.change;
      if (rows.seqs.length < rowsPerRead) return;
    }
  }
}
