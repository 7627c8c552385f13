import { type Terms, termCount, termHash } from "./terms.ts";

const saturation = 1.2;
const lengthEffect = 0.75;

/** The words of all memories, one after the other in one array: reading them in order is what makes a scan fast. */
export class WordTable {
  #hashes = new Uint32Array(16_384);
  #used = 0;
  /** By place: where its words begin, how many different ones it has, and how many in all. */
  #starts = new Uint32Array(1_024);
  #counts = new Uint32Array(1_024);
  #lengths = new Uint32Array(1_024);

  /** Gives each of these places, of so many in all, its words as they are stored. */
  put(places: Uint32Array, all: number, bytes: Uint8Array, sizes: readonly number[]): void {
    const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    const words = new Uint32Array(buffer, byteOffset, length / 4);
    if (this.#hashes.length < this.#used + words.length)
      this.#hashes = enlarge(this.#hashes, this.#used + words.length);
    if (this.#starts.length < all) {
      this.#starts = enlarge(this.#starts, all);
      this.#counts = enlarge(this.#counts, all);
      this.#lengths = enlarge(this.#lengths, all);
    }
    const [hashes, starts, counts, lengths] = [this.#hashes, this.#starts, this.#counts, this.#lengths];
    hashes.set(words, this.#used);
    let start = this.#used;
    for (let index = 0; index < places.length; index++) {
      const place = places[index] as number;
      const count = (sizes[index] as number) / 4;
      // The first says how many words the text has in all.
      starts[place] = start + 1;
      counts[place] = Math.max(0, count - 1);
      lengths[place] = count > 0 ? (hashes[start] as number) : 0;
      start += count;
    }
    this.#used = start;
  }

  at(place: number): Terms {
    const start = this.#starts[place] as number;
    const hashes = this.#hashes.subarray(start, start + (this.#counts[place] as number));
    return { hashes, length: this.#lengths[place] as number };
  }

  /** BM25, as a share of the highest score that the query could reach: words that no memory has count in that too. */
  score(terms: readonly number[], places: Uint32Array): Float32Array {
    const scores = new Float32Array(places.length);
    if (terms.length === 0 || places.length === 0) return scores;
    const { matches, found, totalLength } = this.#match(terms, places);
    const [average, lengths] = [totalLength / places.length || 1, this.#lengths];
    const weights = Float64Array.from(found, (count) => Math.log(1 + (places.length - count + 0.5) / (count + 0.5)));
    const attainable = weights.reduce((sum, weight) => sum + weight * (saturation + 1), 0);
    for (let match = 0; match < matches.length; match += 3) {
      const at = matches[match] as number;
      const count = matches[match + 2] as number;
      const length = lengths[places[at] as number] as number;
      const damping = saturation * (1 - lengthEffect + (lengthEffect * length) / average);
      const score = ((weights[matches[match + 1] as number] as number) * count * (saturation + 1)) / (count + damping);
      scores[at] = (scores[at] as number) + score / attainable;
    }
    return scores;
  }

  /** Where words of the query are: triples of the index in `places`, which word, and how often; and how many memories have each. */
  #match(terms: readonly number[], places: Uint32Array) {
    const [hashes, starts, counts, lengths] = [this.#hashes, this.#starts, this.#counts, this.#lengths];
    // Most words are none of the query's: one look at their upper half tells.
    const filter = new Uint8Array(65_536);
    for (const term of terms) filter[term >>> 16] = 1;
    const index = new Map(terms.map((term, at) => [term, at]));
    const found = new Float64Array(terms.length);
    let matches = new Uint32Array(4_096);
    let used = 0;
    let totalLength = 0;
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number;
      totalLength += lengths[place] as number;
      const start = starts[place] as number;
      const end = start + (counts[place] as number);
      for (let word = start; word < end; word++) {
        const term = hashes[word] as number;
        if (filter[term >>> 16] === 0) continue;
        const which = index.get(termHash(term));
        if (which === undefined) continue;
        found[which] = (found[which] as number) + 1;
        if (matches.length < used + 3) matches = enlarge(matches, used + 3);
        matches[used++] = at;
        matches[used++] = which;
        matches[used++] = termCount(term);
      }
    }
    return { matches: matches.subarray(0, used), found, totalLength };
  }
}

function enlarge(array: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(least, array.length * 2));
  larger.set(array);
  return larger;
}
