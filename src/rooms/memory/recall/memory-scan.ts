import type { PackedVector } from "./packed-vector.ts";
import { type Terms, termHash } from "./terms.ts";
import { WordTable } from "./word-table.ts";

/** What a memory is found by. */
export type ScanEntry = {
  seq: number;
  type: string;
  agent: string;
  vector: PackedVector | undefined;
  terms: Terms;
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
type Kept = Pick<ScanEntry, "seq" | "type" | "agent"> & { isEmbedded: boolean };

/**
 * All memories of a project, to be compared one by one: exact, and for a hundred thousand a matter of milliseconds. Type and agent
 * are checked before anything is ranked.
 */
export class MemoryScan {
  readonly #kept: (Kept | undefined)[] = [];
  readonly #places = new Map<number, number>();
  readonly #words = new WordTable();
  #dimensions: number;
  /** Each begins at a multiple of four bytes. */
  #vectors = new Int8Array(0);
  #factors = new Float32Array(0);

  /** Memories without a vector of the current model: they are found by words alone. */
  unembedded = 0;

  /** Vectors of another length count as none; without a length, the first vector gives it. */
  constructor(dimensions = 0) {
    this.#dimensions = dimensions;
  }

  /** Zero while there are no vectors. */
  get dimensions(): number {
    return this.#dimensions;
  }

  get size(): number {
    return this.#places.size;
  }

  put({ seq, type, agent, vector, terms }: ScanEntry): void {
    this.#dimensions ||= vector?.values.length ?? 0;
    const usable = vector?.values.length === this.#dimensions ? vector : undefined;
    const known = this.#places.get(seq);
    const place = known ?? this.#kept.length;
    this.#count(known, -1);
    this.#places.set(seq, place);
    this.#kept[place] = { seq, type, agent, isEmbedded: usable !== undefined };
    this.#count(place, 1);
    this.#words.put(place, terms);
    this.#putVector(place, usable);
  }

  /** The words of a memory. */
  termsOf(seq: number): Terms | undefined {
    const place = this.#places.get(seq);
    return place === undefined ? undefined : this.#words.at(place);
  }

  /** Oldest first. */
  seqsOf(isWanted: (entry: Pick<ScanEntry, "type" | "agent">) => boolean): number[] {
    return this.#kept
      .filter((entry) => entry !== undefined)
      .filter(isWanted)
      .map(({ seq }) => seq);
  }

  remove(seq: number): void {
    const place = this.#places.get(seq);
    if (place === undefined) return;
    this.#count(place, -1);
    this.#places.delete(seq);
    this.#kept[place] = undefined;
  }

  /** The best, each with its near-duplicates of the same collection collapsed into it. */
  search(query: ScanQuery, limit: number): ScanHit[] {
    const places = this.#allowed(query);
    const scores = this.#score(query, places);
    for (let pool = Math.max(64, limit * 8); ; pool *= 8) {
      const ranked = selectBest(scores.total, pool, query.vector ? minScore : minWordScore);
      const kept = this.#collapse(ranked, places, limit);
      if (kept.length >= limit || ranked.length < pool) {
        return kept.map((at) => ({
          seq: this.#keptAt(places[at]).seq,
          score: scores.total[at] ?? 0,
          cosine: scores.cosine[at] ?? 0,
        }));
      }
    }
  }

  #count(place: number | undefined, change: 1 | -1): void {
    const entry = place === undefined ? undefined : this.#kept[place];
    if (entry && !entry.isEmbedded) this.unembedded += change;
  }

  #keptAt(place: number | undefined): Kept {
    const entry = place === undefined ? undefined : this.#kept[place];
    if (!entry) throw new Error("a place without a memory was ranked");
    return entry;
  }

  #allowed({ type, agent }: ScanQuery): Uint32Array {
    const places = new Uint32Array(this.#places.size);
    const wanted = agent?.toLowerCase();
    let count = 0;
    for (let place = 0; place < this.#kept.length; place++) {
      const entry = this.#kept[place];
      if (!entry || (type !== undefined && entry.type !== type)) continue;
      if (wanted !== undefined && entry.agent !== agent && entry.agent.toLowerCase() !== wanted) continue;
      places[count++] = place;
    }
    return places.subarray(0, count);
  }

  #score(query: ScanQuery, places: Uint32Array): { total: Float32Array; cosine: Float32Array } {
    const cosine = this.#cosines(query.vector, places);
    const total = this.#words.score(query.terms, places);
    for (let at = 0; at < total.length; at++) {
      const text = total[at] ?? 0;
      total[at] = query.vector ? (cosine[at] ?? 0) + textWeight * text : text;
    }
    return { total, cosine };
  }

  #cosines(vector: PackedVector | undefined, places: Uint32Array): Float32Array {
    const cosines = new Float32Array(places.length);
    if (!vector || vector.values.length !== this.#dimensions) return cosines;
    const products = multiplyAll(this.#vectors, vector.values, places);
    for (let at = 0; at < places.length; at++)
      cosines[at] = (products[at] as number) * (this.#factors[places[at] as number] as number) * vector.factor;
    return cosines;
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
    const [one, other] = [this.#keptAt(a), this.#keptAt(b)];
    if (one.type !== other.type) return false;
    const [words, others] = [this.#words.at(a), this.#words.at(b)];
    if (!one.isEmbedded || !other.isEmbedded) return haveSameWords(words, others);
    return sharedWords(words, others) >= duplicateWords && this.#cosineOf(a, b) >= duplicateCosine;
  }

  #cosineOf(a: number, b: number): number {
    let product = 0;
    const [from, to] = [a, b].map((place) => place * strideOf(this.#dimensions)) as [number, number];
    for (let index = 0; index < this.#dimensions; index++)
      product += (this.#vectors[from + index] as number) * (this.#vectors[to + index] as number);
    return product * (this.#factors[a] as number) * (this.#factors[b] as number);
  }

  #putVector(place: number, vector: PackedVector | undefined): void {
    const stride = strideOf(this.#dimensions);
    const needed = (place + 1) * stride;
    if (this.#vectors.length < needed) {
      const larger = new Int8Array(Math.max(needed, this.#vectors.length * 2, 1_024 * stride));
      larger.set(this.#vectors);
      this.#vectors = larger;
    }
    if (this.#factors.length <= place) {
      const larger = new Float32Array(Math.max(place + 1, this.#factors.length * 2, 1_024));
      larger.set(this.#factors);
      this.#factors = larger;
    }
    this.#factors[place] = vector?.factor ?? 0;
    if (vector) this.#vectors.set(vector.values, place * stride);
  }
}

function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / 4) * 4;
}

/**
 * The product of one vector with each of those at these places. Four bytes are read as one number and taken apart, which takes a third
 * of the time of reading them one by one (43 against 122 ms for 100,000 vectors of 256 bytes).
 */
function multiplyAll(vectors: Int8Array<ArrayBuffer>, wanted: Int8Array, places: Uint32Array): Int32Array {
  const words = strideOf(wanted.length) / 4;
  const padded = new Int8Array(words * 4);
  padded.set(wanted);
  const [stored, own] = [new Int32Array(vectors.buffer), new Int32Array(padded.buffer)];
  // Taken apart in the same way, so that the order of bytes in a number does not matter.
  const [first, second, third, fourth] = [24, 16, 8, 0].map((left) => own.map((word) => (word << left) >> 24)) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const products = new Int32Array(places.length);
  for (let at = 0; at < places.length; at++) {
    const from = (places[at] as number) * words;
    let even = 0;
    let odd = 0;
    for (let index = 0; index < words; index++) {
      const word = stored[from + index] as number;
      even =
        (even +
          Math.imul((word << 24) >> 24, first[index] as number) +
          Math.imul((word << 8) >> 24, third[index] as number)) |
        0;
      odd =
        (odd +
          Math.imul((word << 16) >> 24, second[index] as number) +
          Math.imul(word >> 24, fourth[index] as number)) |
        0;
    }
    products[at] = even + odd;
  }
  return products;
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
