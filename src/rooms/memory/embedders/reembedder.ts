import { packVector } from "../recall/packed-vector.ts";
import type { SharedIndex } from "../shared/shared-index.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import type { Embedder } from "./embedder.ts";
import { wrongVectors } from "./vector-check.ts";

const batchSize = 64;
/** Shows how long the model's vectors are now. */
const sampleText = "memory";

type ReembedderOptions = {
  store: MemoryStore;
  embedder: Embedder;
  /** Gets the new vectors too. */
  shared: SharedIndex | undefined;
  warn(message: string): void;
};

export type ReembedProgress = { done: number; total: number };

/** Gives memories a vector of the current model, after the model was changed or could not be used for a while. */
export class Reembedder {
  readonly #options: ReembedderOptions;
  readonly #ended = new AbortController();
  #running: Promise<number> | undefined;

  constructor(options: ReembedderOptions) {
    this.#options = options;
  }

  /** In the background, unless it is under way. */
  start(): void {
    if (this.#running) return;
    void this.run().catch((error) => {
      if (!this.#ended.signal.aborted)
        this.#options.warn(`Memories could not be embedded again: ${error instanceof Error ? error.message : error}`);
    });
  }

  /** Resolves to how many were embedded. A second call joins the first. */
  run(report: (progress: ReembedProgress) => void = () => undefined): Promise<number> {
    this.#running ??= this.#embedAll(report).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#running?.catch(() => undefined);
  }

  async #embedAll(report: (progress: ReembedProgress) => void): Promise<number> {
    const { store, embedder, shared } = this.#options;
    const { signal } = this.#ended;
    const [sample] = await embedder.embed([sampleText], signal);
    const wanted = { model: embedder.name, dimensions: sample?.length ?? 0 };
    const total = await store.countStale(wanted);
    let done = 0;
    while (!signal.aborted) {
      const rows = await store.staleRows(wanted, batchSize);
      if (rows.length === 0) return done;
      const vectors = await embedder.embed(
        rows.map(({ text }) => text),
        signal,
      );
      // They would be out of date as soon as they are stored, and this would never end.
      if (vectors.some(({ length }) => length !== wanted.dimensions))
        throw wrongVectors(embedder.name, "its vectors have different lengths");
      await store.database.transaction(async (tx) => {
        for (const [index, { seq }] of rows.entries()) {
          const vector = vectors[index];
          if (vector) await store.update(tx, seq, { model: embedder.name, vector: packVector(vector), is_shared: 0 });
        }
      });
      done += rows.length;
      await shared?.push(signal);
      report({ done, total: Math.max(total, done) });
    }
    return done;
  }
}
