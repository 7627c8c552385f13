const mostMet = 10_000;

/** Where the tickets of one team are that this process has met: their ids are never another ticket's. */
export class SeqCache {
  readonly #seqs = new Map<string, number>();

  /** Undefined for one that was not met, or is asked for by its slug. */
  get(id: string): number | undefined {
    return this.#seqs.get(id);
  }

  set({ id, seq }: { id: string; seq: number }): void {
    if (this.#seqs.size >= mostMet) this.#seqs.clear();
    this.#seqs.set(id, seq);
  }
}
