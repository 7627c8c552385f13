import type { MemoryStore } from "../store/memory-store.ts";
import { MemoryScan } from "./memory-scan.ts";
import { unpackVector } from "./packed-vector.ts";
import { unpackTerms } from "./terms.ts";

const rowsPerRead = 20_000;

/** All memories of a project for comparison, kept up to date with what this process and others change. */
export class FreshScan {
  readonly #store: MemoryStore;
  /** The embedder whose vectors are compared. */
  readonly #model: string;
  #scan = new MemoryScan();
  #seen = 0;
  #reading: Promise<void> | undefined;

  constructor(store: MemoryStore, model: string) {
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
    this.#scan = new MemoryScan(dimensions);
    this.#seen = 0;
    return this.refresh();
  }

  async #readChanges(): Promise<void> {
    if ((await this.#store.currentChange()) === this.#seen) return;
    for (;;) {
      const rows = await this.#store.changedSince(this.#seen, rowsPerRead);
      for (const { seq, type, agent, model, vector, terms, change, deleted_at } of rows) {
        if (deleted_at !== null) this.#scan.remove(seq);
        else {
          const usable = vector && model === this.#model ? unpackVector(vector) : undefined;
          this.#scan.put({ seq, type, agent, vector: usable, terms: unpackTerms(terms) });
        }
        this.#seen = change;
      }
      if (rows.length < rowsPerRead) return;
    }
  }
}
