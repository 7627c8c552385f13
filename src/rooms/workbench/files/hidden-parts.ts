/** A part of a text that is not shown: from its first character to the one after its last. */
type HiddenPart = { from: number; to: number };

/** What of a text is not shown, line by line. `shown` has as many lines. */
export function listHidden(text: string, shown: string): HiddenPart[] {
  if (text === shown) return [];
  const seen = shown.split("\n");
  const hidden: HiddenPart[] = [];
  let start = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const other = seen[index] ?? "";
    if (line !== other) {
      const before = countSame(line, other);
      const after = countSameAtEnd(line.slice(before), other.slice(before));
      hidden.push({ from: start + before, to: start + line.length - after });
    }
    start += line.length + 1;
  }
  return hidden.filter(({ from, to }) => from < to);
}

/** Whether what is found there is seen, or known whole: whether a part of a secret is found would tell, bit by bit, what is in it. */
export function isSeenAt(at: number, length: number, hidden: readonly HiddenPart[]): boolean {
  const end = at + length;
  return hidden.every(({ from, to }) => to <= at || from >= end || (at <= from && to <= end));
}

/** Whether an edit makes something visible that was hidden, and that the editor has not said itself. */
export function revealsHidden(
  before: { text: string; shown: string; hidden: readonly HiddenPart[] },
  shownAfter: string,
  said: readonly string[],
): boolean {
  const secrets = new Set(before.hidden.map(({ from, to }) => before.text.slice(from, to)));
  const isKnown = (secret: string) => [before.shown, ...said].some((one) => one.includes(secret));
  return [...secrets].some((secret) => shownAfter.includes(secret) && !isKnown(secret));
}

function countSame(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count++;
  return count;
}

function countSameAtEnd(one: string, other: string): number {
  let count = 0;
  while (count < one.length && count < other.length && one.at(-1 - count) === other.at(-1 - count)) count++;
  return count;
}
