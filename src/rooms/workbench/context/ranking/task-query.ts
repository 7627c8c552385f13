import type { Task } from "../../model/task-model.ts";
import { isStopWord, joinWords, listIdentifiers, splitIdentifier, stemWord } from "./words.ts";

const maxTextLength = 20_000;
const maxWords = 300;
/** A word of the title says more than one of the description, and an identifier more than its words. */
const weights = { name: 2, text: 1, identifier: 2.5, identifierPart: 0.8 } as const;

/** What a task is searched by: its words, each with a weight. */
export class TaskQuery {
  readonly #weights = new Map<string, number>();
  /** Identifiers repeat: what each of them matches is found once. */
  readonly #matches = new Map<string, readonly string[]>();

  constructor(task: Pick<Task, "name"> & Partial<Task>) {
    const texts = [task.description, task.acceptance_criteria, task.function_signatures, task.testing_requirements];
    this.#add(task.name, weights.name);
    this.#add(texts.flat().join("\n").slice(0, maxTextLength), weights.text);
  }

  get words(): ReadonlyMap<string, number> {
    return this.#weights;
  }

  /** The words of the query that are in an identifier. */
  match(identifier: string): readonly string[] {
    const known = this.#matches.get(identifier);
    if (known) return known;
    const found = listSearchWords(identifier).filter((word) => this.#weights.has(word));
    this.#matches.set(identifier, found);
    return found;
  }

  /** How often each word of the query is in a text, and how many identifiers the text has. */
  count(identifiers: readonly string[]): WordCounts {
    const counts = new Map<string, number>();
    for (const identifier of identifiers)
      for (const word of this.match(identifier)) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { counts, length: identifiers.length };
  }

  #add(text: string, weight: number): void {
    for (const identifier of listIdentifiers(text)) {
      const parts = splitIdentifier(identifier);
      const isCompound = parts.length > 1;
      if (isCompound) this.#put(joinWords(parts), weight * weights.identifier);
      for (const part of parts)
        if (!isStopWord(part)) this.#put(stemWord(part), weight * (isCompound ? weights.identifierPart : 1));
    }
  }

  #put(word: string, weight: number): void {
    if (this.#weights.size >= maxWords && !this.#weights.has(word)) return;
    this.#weights.set(word, Math.max(weight, this.#weights.get(word) ?? 0));
  }
}

export type WordCounts = { counts: ReadonlyMap<string, number>; length: number };

function listSearchWords(identifier: string): string[] {
  const parts = splitIdentifier(identifier);
  const stems = [...new Set(parts.map(stemWord))];
  return parts.length > 1 ? [...stems, joinWords(parts)] : stems;
}
