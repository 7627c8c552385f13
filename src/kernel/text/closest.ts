const maxShown = 3;

/** The candidates that a mistyped word most likely meant, best first; none if nothing is close. */
export function findClosest(word: string, candidates: readonly string[]): string[] {
  const typed = word.toLowerCase().slice(0, 64);
  return candidates
    .map((candidate) => ({ candidate, distance: distanceTo(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxShown)
    .map(({ candidate }) => candidate);
}

/** The start of a word counts as the word. */
function distanceTo(typed: string, candidate: string): number {
  if (typed.length >= 2 && candidate.startsWith(typed)) return 0;
  return editDistance(typed, candidate);
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(at(last, j) + 1, at(current, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(beforeLast, j - 2) + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** `a`, `a or b`, `a, b or c`. */
export function anyOf(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** "Did you mean …?" for a word that is not a candidate; empty if nothing is close. */
export function didYouMean(word: string, candidates: readonly string[]): string[] {
  const near = findClosest(word, candidates);
  return near.length > 0 ? [`Did you mean ${anyOf(near.map((name) => `\`${name}\``))}?`] : [];
}
