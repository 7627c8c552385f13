import { foldText } from "../../../commons/search/words.ts";

/**
 * Words of a text as numbers, for ranking by equal words: 28 bits of a hash, and in the lowest 4 how often the word occurs. Scanning
 * these is quick enough that no index has to be kept.
 */

const maxWords = 2_000;
const maxCount = 15;
const countMask = 0xf;
const createWordPattern = () => /[\p{L}\p{N}_]+/gu;
const camelCase = /([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g;

/** Endings that two forms of an English word differ by, longest first. */
const endings = [
  "ations",
  "ation",
  "ments",
  "ment",
  "ings",
  "ing",
  "ers",
  "ies",
  "ied",
  "ed",
  "er",
  "es",
  "ly",
  "s",
  "e",
];
const minStem = 3;

export type Terms = { hashes: Uint32Array; length: number };

export function packTerms(text: string): Uint8Array {
  const counts = countWords(text);
  const packed = new Uint32Array(counts.size + 1);
  let at = 0;
  let length = 0;
  for (const [hash, count] of counts) {
    packed[++at] = ((hash << 4) | Math.min(count, maxCount)) >>> 0;
    length += count;
  }
  packed[0] = length;
  return new Uint8Array(packed.buffer);
}

export function unpackTerms(bytes: Uint8Array): Terms {
  const copy = new Uint32Array(bytes.slice().buffer, 0, Math.floor(bytes.length / 4));
  return { hashes: copy.subarray(1), length: copy[0] ?? 0 };
}

/** Each word of a query once, comparable with {@link termHash}. */
export function queryTerms(text: string): number[] {
  return [...countWords(text).keys()].map((hash) => (hash << 4) >>> 0);
}

export function termHash(term: number): number {
  return (term & ~countMask) >>> 0;
}

export function termCount(term: number): number {
  return term & countMask;
}

function countWords(text: string): Map<number, number> {
  const counts = new Map<number, number>();
  const add = (word: string) => {
    const hash = hashWord(word);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  };
  let words = 0;
  for (const [found] of text.matchAll(createWordPattern())) {
    if (++words > maxWords) break;
    const parts = found.replace(camelCase, "$1$3 $2$4").replaceAll("_", " ").trim().split(/\s+/);
    for (const part of parts) if (part !== "") add(stem(foldText(part)));
    // An identifier counts as one word too: who looks for it means exactly that.
    if (parts.length > 1) add(foldText(found));
  }
  return counts;
}

function stem(word: string): string {
  const ending = endings.find((candidate) => word.endsWith(candidate) && word.length - candidate.length >= minStem);
  return ending === undefined ? word : word.slice(0, -ending.length);
}

/** FNV-1a, 28 bits. */
function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 28)) & 0x0fffffff;
}
