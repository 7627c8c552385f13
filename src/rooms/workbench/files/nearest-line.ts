const maxLines = 50_000;
const maxComparedLength = 300;
const maxShownLength = 200;

/** The line that is most similar to the beginning of `wanted`; undefined if no line shares a word with it. */
export function findNearestLine(text: string, wanted: string): { line: number; text: string } | undefined {
  const first = wanted
    .split("\n", 50)
    .find((line) => line.trim() !== "")
    ?.trim();
  if (first === undefined) return undefined;
  const words = new Set(splitWords(first));
  let best: { line: number; text: string; likeness: number } | undefined;
  for (const [index, line] of text.split("\n", maxLines).entries()) {
    const likeness = line.trim() === first ? 2 : compareWords(words, splitWords(line));
    if (likeness > (best?.likeness ?? 0)) best = { line: index + 1, text: line, likeness };
  }
  return best && { line: best.line, text: best.text.replace(/\r$/, "").slice(0, maxShownLength) };
}

/** The share of common words: 1 if they are the same. */
function compareWords(wanted: ReadonlySet<string>, words: readonly string[]): number {
  const found = new Set(words);
  const shared = [...found].filter((word) => wanted.has(word)).length;
  return shared === 0 ? 0 : shared / (wanted.size + found.size - shared);
}

function splitWords(line: string): string[] {
  return (
    line
      .slice(0, maxComparedLength)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  );
}
