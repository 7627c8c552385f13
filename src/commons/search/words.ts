import { Redactor } from "../../kernel/text/redactor.ts";
import type { Engine } from "../../platform/db/types.ts";

/** Words for full-text search, made here and not by a database: both engines then find the same. */

const maxWordLength = 64;
const maxIndexedWords = 20_000;
/** A text for search has 1 MiB in PostgreSQL. */
const maxIndexedBytes = 1_000_000;
const maxQueryWords = 16;
/** It knows secrets by their form alone, so that an index is the same on every machine. */
const redactor = new Redactor();
const createMarksPattern = () => /\p{M}/gu;
const createWordPattern = () => /[\p{L}\p{N}]+/gu;

/** Lower case, without accents. */
export function foldText(text: string): string {
  return text.normalize("NFKD").replace(createMarksPattern(), "").toLowerCase();
}

/** The same of what is shown of a text: whether the beginning of a secret is found would tell, bit by bit, what is in it. */
export function foldShown(text: string): string {
  return foldText(redactor.text(text));
}

/** Whether the index alone says what has all of these, each as the beginning of a word: nothing in them is cut or left out. */
export function isIndexed(words: readonly string[]): boolean {
  return (
    words.length <= maxQueryWords &&
    words.every((word) => word.length <= maxWordLength && /^[\p{L}\p{N}]+$/u.test(word))
  );
}

/** Folded, each once; identifiers and paths fall apart at what is no letter or digit. */
export function extractWords(texts: readonly string[], most = maxIndexedWords): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of foldShown(text).matchAll(createWordPattern())) {
      words.add(limitWords(word));
      if (words.size >= most) return [...words];
    }
  }
  return [...words];
}

/** As many as both databases hold: PostgreSQL would drop others than the last, and say nothing. */
export function formatIndexText(words: Iterable<string>): string {
  const most = [...words].slice(0, maxIndexedWords);
  let bytes = 0;
  const end = most.findIndex((word) => {
    bytes += Buffer.byteLength(word);
    return bytes > maxIndexedBytes;
  });
  return (end === -1 ? most : most.slice(0, end)).join(" ");
}

/** By whole characters: half of one is no text that a database takes. */
function limitWords(word: string): string {
  return word.length > maxWordLength ? [...word].slice(0, maxWordLength).join("") : word;
}

export function parseQueryWords(text: string): string[] {
  return extractWords([text], maxQueryWords);
}

/** Every word, each as the beginning of one. Words are letters and digits alone, so nothing in them is syntax. */
export function createSqliteQuery(words: readonly string[]): string {
  return words.map((word) => `"${word}"*`).join(" ");
}

export function createPostgresQuery(words: readonly string[]): string {
  return words.map((word) => `'${word}':*`).join(" & ");
}

/** What has all words of one of these, each as a complete word. */
export function createAnyQuery(engine: Engine, alternatives: readonly (readonly string[])[]): string {
  const [quote, and, or] = engine === "sqlite" ? ['"', " AND ", " OR "] : ["'", " & ", " | "];
  return alternatives.map((words) => `(${words.map((word) => `${quote}${word}${quote}`).join(and)})`).join(or);
}
