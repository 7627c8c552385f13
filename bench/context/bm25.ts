/** The plain ranking that Forge's must beat: BM25 over the words of the files' contents. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const saturation = 1.2;
const lengthShare = 0.75;
const maxBytes = 1_000_000;

export function rankByBm25(folder: string, files: readonly string[], query: string): string[] {
  const documents = files.flatMap((path) => {
    const text = readText(join(folder, path));
    return text === undefined ? [] : [{ path, ...countWords(text) }];
  });
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const words = new Set(listWords(query));
  const score = ({ counts, length }: Counted) => {
    let sum = 0;
    for (const word of words) {
      const count = counts.get(word) ?? 0;
      if (count === 0) continue;
      const having = documents.filter((one) => one.counts.has(word)).length;
      const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
      const size = saturation * (1 - lengthShare + (lengthShare * length) / average);
      sum += (rarity * count * (saturation + 1)) / (count + size);
    }
    return sum;
  };
  return documents
    .map((document) => ({ path: document.path, score: score(document) }))
    .sort((a, b) => b.score - a.score)
    .map(({ path }) => path);
}

type Counted = { counts: Map<string, number>; length: number };

function countWords(text: string): Counted {
  const counts = new Map<string, number>();
  const words = listWords(text);
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}

function listWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function readText(path: string): string | undefined {
  try {
    if (!statSync(path).isFile() || statSync(path).size > maxBytes) return undefined;
    const text = readFileSync(path, "utf8");
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
