/** Words for full-text search, made here and not by a database: both engines then find the same tickets. */

const longestWord = 64;
export const mostIndexed = 20_000;
/** A text for search has 1 MiB in PostgreSQL. */
export const mostIndexedBytes = 1_000_000;
const mostAsked = 16;
const marks = () => /\p{M}/gu;
const wordPattern = () => /[\p{L}\p{N}]+/gu;

/** Lower case, without accents, each once; identifiers and paths fall apart at what is no letter or digit. */
export function wordsOf(texts: readonly string[], most = mostIndexed): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of text.normalize("NFKD").replace(marks(), "").toLowerCase().matchAll(wordPattern())) {
      words.add(cut(word));
      if (words.size >= most) return [...words];
    }
  }
  return [...words];
}

/** By whole characters: half of one is no text that a database takes. */
function cut(word: string): string {
  return word.length > longestWord ? [...word].slice(0, longestWord).join("") : word;
}

export function askedWords(text: string): string[] {
  return wordsOf([text], mostAsked);
}

/** Every word, each as the beginning of one. Words are letters and digits alone, so nothing in them is syntax. */
export function sqliteQuery(words: readonly string[]): string {
  return words.map((word) => `"${word}"*`).join(" ");
}

export function postgresQuery(words: readonly string[]): string {
  return words.map((word) => `'${word}':*`).join(" & ");
}
