import { fileName, folderName } from "../../../../commons/code-index/project-index.ts";
import { listDeclaredNames } from "./declared-names.ts";
import type { TaskQuery, WordCounts } from "./task-query.ts";
import { listIdentifiers, splitIdentifier } from "./words.ts";

/** How much a match counts by where it is. */
const weights = { body: 1, declared: 0.8, name: 2, folder: 0.35 } as const;
/** The constants of BM25: how fast repetition stops to count, and how much long files lose. */
const bm25 = { saturation: 1.2, lengthShare: 0.6 } as const;

type FileWords = {
  path: string;
  body: WordCounts;
  declared: WordCounts;
  /** Of the file's name; its length is in words. */
  name: WordCounts;
  folder: WordCounts;
};

/** How well files fit a task by their words: contents, declared names, and path. The best is 1. */
export class ContentScores {
  readonly #query: TaskQuery;
  readonly #files: FileWords[] = [];

  constructor(query: TaskQuery) {
    this.#query = query;
  }

  add(path: string, text: string): void {
    const count = (identifiers: readonly string[]) => this.#query.count(identifiers);
    const name = fileName(path)
      .replace(/\.\w+$/, "")
      .replaceAll(".", "_");
    this.#files.push({
      path,
      body: count(listIdentifiers(text)),
      declared: count(listDeclaredNames(path, text).flatMap(listIdentifiers)),
      name: { ...count([name]), length: splitIdentifier(name).length },
      folder: count(folderName(path).split("/")),
    });
  }

  /** `adjust` lowers the scores of files that count less. */
  compute(adjust: (path: string) => number): Map<string, number> {
    const rarity = this.#findRarities();
    const bodyLength = average(this.#files.map(({ body }) => body.length));
    const declaredLength = average(this.#files.map(({ declared }) => declared.length));
    const scores = this.#files.map(({ path, body, declared, name, folder }): [string, number] => {
      let score = 0;
      for (const [word, worth] of rarity) {
        score += worth * weights.body * saturate(body, word, bodyLength);
        score += worth * weights.declared * saturate(declared, word, declaredLength);
        if (name.counts.has(word)) score += (worth * weights.name) / Math.sqrt(Math.max(1, name.length));
        if (folder.counts.has(word)) score += worth * weights.folder;
      }
      return [path, score * adjust(path)];
    });
    const best = Math.max(Number.MIN_VALUE, ...scores.map(([, score]) => score));
    return new Map(scores.map(([path, score]) => [path, score / best]));
  }

  /** Of each word of the query: its weight, and more if few files have it. */
  #findRarities(): Map<string, number> {
    const total = this.#files.length;
    const rarities = [...this.#query.words].map(([word, weight]): [string, number] => {
      const having = this.#files.filter(({ body, name }) => body.counts.has(word) || name.counts.has(word)).length;
      return [word, having === 0 ? 0 : weight * findRarity(having, total)];
    });
    return new Map(rarities.filter(([, worth]) => worth > 0));
  }
}

export function findRarity(having: number, total: number): number {
  return Math.log(1 + (total - having + 0.5) / (having + 0.5));
}

function saturate({ counts, length }: WordCounts, word: string, averageLength: number): number {
  const count = counts.get(word) ?? 0;
  if (count === 0) return 0;
  const { saturation, lengthShare } = bm25;
  const size = saturation * (1 - lengthShare + (lengthShare * length) / Math.max(1, averageLength));
  return (count * (saturation + 1)) / (count + size);
}

function average(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}
