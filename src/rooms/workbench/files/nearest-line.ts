const mostLines = 50_000;
const comparedCharacters = 300;
const shownCharacters = 200;

/** The line of a text that is most like the beginning of what was looked for; undefined where none has a word of it. */
export function nearestLine(text: string, wanted: string): { line: number; text: string } | undefined {
  const first = wanted
    .split("\n", 50)
    .find((line) => line.trim() !== "")
    ?.trim();
  if (first === undefined) return undefined;
  const words = new Set(wordsOf(first));
  let best: { line: number; text: string; likeness: number } | undefined;
  for (const [index, line] of text.split("\n", mostLines).entries()) {
    const likeness = line.trim() === first ? 2 : likenessOf(words, wordsOf(line));
    if (likeness > (best?.likeness ?? 0)) best = { line: index + 1, text: line, likeness };
  }
  return best && { line: best.line, text: best.text.replace(/\r$/, "").slice(0, shownCharacters) };
}

/** Shared words against all words of both: 1 where they are the same. */
function likenessOf(wanted: ReadonlySet<string>, words: readonly string[]): number {
  const found = new Set(words);
  const shared = [...found].filter((word) => wanted.has(word)).length;
  return shared === 0 ? 0 : shared / (wanted.size + found.size - shared);
}

function wordsOf(line: string): string[] {
  return (
    line
      .slice(0, comparedCharacters)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  );
}
