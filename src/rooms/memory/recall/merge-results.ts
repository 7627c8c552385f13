import type { Memory } from "../model/memory.ts";
import { haveSameWords, minScore } from "./memory-scan.ts";
import { packTerms, type Terms, unpackTerms } from "./terms.ts";

export type Ranked = { memory: Memory; score: number };

/** Best first. What others wrote is left out where it repeats a better result: repeated text must not fill them. */
export function mergeResults(own: readonly Ranked[], others: readonly Ranked[], limit: number): Ranked[] {
  const kept: (Ranked & { terms: Terms })[] = [];
  const [isOwn, ids] = [new Set(own), new Set(own.flatMap(({ memory }) => [memory.id, memory.historicId]))];
  for (const result of [...own, ...others.filter(({ score }) => score >= minScore)].sort((a, b) => b.score - a.score)) {
    if (kept.length === limit) break;
    const { type, text, id, historicId } = result.memory;
    const terms = unpackTerms(packTerms(text));
    const isKnown = () =>
      ids.has(id) ||
      ids.has(historicId) ||
      kept.some((other) => other.memory.type === type && haveSameWords(other.terms, terms));
    if (isOwn.has(result) || !isKnown()) kept.push({ ...result, terms });
  }
  return kept.map(({ memory, score }) => ({ memory, score }));
}
