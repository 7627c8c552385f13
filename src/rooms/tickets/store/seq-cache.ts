const maxEntries = 10_000;

/** Row numbers by ticket id, for one team. They never change: an id is never given to another ticket. */
export class SeqCache {
  readonly #seqs = new Map<string, number>();

  /** Undefined for a ticket that was not read before, or that is asked for by its slug. */
  get(id: string): number | undefined {
    return this.#seqs.get(id);
  }

  set({ id, seq }: { id: string; seq: number }): void {
    if (this.#seqs.size >= maxEntries) this.#seqs.clear();
    this.#seqs.set(id, seq);
  }
}
