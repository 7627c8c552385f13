import type { PackedVector } from "./packed-vector.ts";
import { type Terms, termHash } from "./terms.ts";
import { VectorTable } from "./vector-table.ts";
import { WordTable } from "./word-table.ts";

/**
 * What memories are found by, column by column: values of one memory have the same index in each list, and its bytes follow those of
 * the memories before it.
 */
export type ScanRows = {
  seqs: readonly number[];
  types: readonly string[];
  agents: readonly string[];
  /** Bytes of each vector; 0 where there is none to compare. */
  vectorSizes: readonly number[];
  vectors: Uint8Array;
  termSizes: readonly number[];
  terms: Uint8Array;
};

export type ScanQuery = {
  vector: PackedVector | undefined;
  terms: readonly number[];
  type: string | undefined;
  agent: string | undefined;
};

export type ScanHit = { seq: number; score: number; cosine: number };

/**
 * What equal words add to the cosine, at most. Chosen on bench/recall/tuning.txt: lower loses identifiers and error messages, higher
 * loses paraphrases.
 */
export const textWeight = 0.5;
/** Below this a memory has nothing to do with the query; a shared word always has. */
export const minScore = 0.1;
const minWordScore = 0.01;

/** Two memories of one collection that say the same: alike in meaning and in words. */
const duplicateCosine = 0.97;
const duplicateWords = 0.8;

/** What is kept of an entry as an object; numbers are in arrays over all places. */
type Kept = { seq: number; type: string; agent: string; isEmbedded: boolean };

/**
 * All memories of a project, to be compared one by one: exact, and for a hundred thousand a matter of milliseconds. Type and agent
 * are checked before anything is ranked.
 */
export class MemoryScan {
  readonly #kept: (Kept | undefined)[] = [];
  readonly #places = new Map<number, number>();
  readonly #words = new WordTable();
  readonly #vectors: VectorTable;

  /** Memories without a vector of the current model: they are found by words alone. */
  unembedded = 0;
  /** How many memories were replaced or removed, whose words and vectors are still there. */
  replaced = 0;

  /** Vectors of another length count as none; without a length, the first vector gives it. */
  constructor(dimensions = 0) {
    this.#vectors = new VectorTable(dimensions);
  }

  /** Zero while there are no vectors. */
  get dimensions(): number {
    return this.#vectors.dimensions;
  }

  get size(): number {
    return this.#places.size;
  }

  /** New memories, and new versions of known ones. */
  putAll({ seqs, types, agents, vectorSizes, vectors, termSizes, terms }: ScanRows): void {
    const kept = this.#kept;
    const places = this.#placesFor(seqs);
    this.#words.put(places, kept.length, terms, termSizes);
    const isEmbedded = this.#vectors.put(places, kept.length, vectors, vectorSizes);
    for (let index = 0; index < seqs.length; index++)
      kept[places[index] as number] = {
        seq: seqs[index] as number,
        type: types[index] as string,
        agent: agents[index] as string,
        isEmbedded: isEmbedded[index] === 1,
      };
    this.unembedded += isEmbedded.reduce((sum, one) => sum + 1 - one, 0);
  }

  /** The words of a memory. */
  termsOf(seq: number): Terms | undefined {
    const place = this.#places.get(seq);
    return place === undefined ? undefined : this.#words.at(place);
  }

  /** Oldest first. */
  seqsOf(isWanted: (entry: Pick<Kept, "type" | "agent">) => boolean): number[] {
    return this.#kept
      .filter((entry) => entry !== undefined)
      .filter(isWanted)
      .map(({ seq }) => seq);
  }

  remove(seq: number): void {
    const place = this.#places.get(seq);
    if (place === undefined) return;
    this.#clear(place);
    this.#places.delete(seq);
  }

  /** The best, each with its near-duplicates of the same collection collapsed into it. */
  search(query: ScanQuery, limit: number): ScanHit[] {
    const places = this.#listAllowed(query);
    const scores = this.#score(query, places);
    for (let pool = Math.max(64, limit * 8); ; pool *= 8) {
      const ranked = selectBest(scores.total, pool, query.vector ? minScore : minWordScore);
      const kept = this.#collapse(ranked, places, limit);
      if (kept.length >= limit || ranked.length < pool) {
        return kept.map((at) => ({
          seq: this.#getKept(places[at]).seq,
          score: scores.total[at] ?? 0,
          cosine: scores.cosine[at] ?? 0,
        }));
      }
    }
  }

  /** Known memories keep their place. */
  #placesFor(seqs: readonly number[]): Uint32Array {
    const [known, kept, places] = [this.#places, this.#kept, new Uint32Array(seqs.length)];
    for (let index = 0; index < seqs.length; index++) {
      const seq = seqs[index] as number;
      const place = known.get(seq);
      places[index] = place ?? kept.length;
      if (place !== undefined) this.#clear(place);
      else {
        known.set(seq, kept.length);
        kept.push(undefined);
      }
    }
    return places;
  }

  #clear(place: number): void {
    if (this.#kept[place]?.isEmbedded === false) this.unembedded--;
    this.#kept[place] = undefined;
    this.replaced++;
  }

  #getKept(place: number | undefined): Kept {
    const entry = place === undefined ? undefined : this.#kept[place];
    if (!entry) throw new Error("a place without a memory was ranked");
    return entry;
  }

  #listAllowed({ type, agent }: ScanQuery): Uint32Array {
    const [kept, places] = [this.#kept, new Uint32Array(this.#places.size)];
    const wanted = agent?.toLowerCase();
    let count = 0;
    for (let place = 0; place < kept.length; place++) {
      const entry = kept[place];
      if (!entry || (type !== undefined && entry.type !== type)) continue;
      if (wanted !== undefined && entry.agent !== agent && entry.agent.toLowerCase() !== wanted) continue;
      places[count++] = place;
    }
    return places.subarray(0, count);
  }

  #score(query: ScanQuery, places: Uint32Array): { total: Float32Array; cosine: Float32Array } {
    const cosine = this.#vectors.cosines(query.vector, places);
    const total = this.#words.score(query.terms, places);
    if (query.vector)
      for (let at = 0; at < total.length; at++) total[at] = (cosine[at] as number) + textWeight * (total[at] as number);
    return { total, cosine };
  }

  #collapse(ranked: number[], places: Uint32Array, limit: number): number[] {
    const kept: number[] = [];
    for (const at of ranked) {
      if (kept.length === limit) break;
      const place = places[at] as number;
      if (!kept.some((other) => this.#areAlike(place, places[other] as number))) kept.push(at);
    }
    return kept;
  }

  #areAlike(a: number, b: number): boolean {
    const [one, other] = [this.#getKept(a), this.#getKept(b)];
    if (one.type !== other.type) return false;
    const [words, others] = [this.#words.at(a), this.#words.at(b)];
    if (!one.isEmbedded || !other.isEmbedded) return haveSameWords(words, others);
    return sharedWords(words, others) >= duplicateWords && this.#vectors.cosineOf(a, b) >= duplicateCosine;
  }
}

/** Whether a new text says what a memory already says. */
export function isNearDuplicate(cosine: number, a: Terms, b: Terms): boolean {
  return cosine >= duplicateCosine && sharedWords(a, b) >= duplicateWords;
}

/** Whether two texts have the same words; for texts whose vectors are not at hand. */
export function haveSameWords(a: Terms, b: Terms): boolean {
  return sharedWords(a, b) > duplicateCosine;
}

/** The share of words that both have. */
function sharedWords(a: Terms, b: Terms): number {
  const words = new Set(a.hashes.length > 0 ? Array.from(a.hashes, termHash) : []);
  let common = 0;
  for (const term of b.hashes) if (words.has(termHash(term))) common++;
  const all = a.hashes.length + b.hashes.length - common;
  return all === 0 ? 1 : common / all;
}

/** Places of the highest scores, best first; of equal ones the earlier. */
function selectBest(scores: Float32Array, count: number, least: number): number[] {
  const candidates: number[] = [];
  let floor = least;
  const order = (a: number, b: number) => (scores[b] as number) - (scores[a] as number) || a - b;
  for (let at = 0; at < scores.length; at++) {
    if ((scores[at] as number) < floor) continue;
    candidates.push(at);
    if (candidates.length < count * 4) continue;
    candidates.sort(order).length = count;
    floor = scores[candidates[count - 1] as number] as number;
  }
  return candidates.sort(order).slice(0, count);
}
