/** Lines taken away and put in at one place; both from 0. */
export type Hunk = { oldStart: number; oldCount: number; newStart: number; newCount: number };

export type LineDiff = { oldLines: string[]; newLines: string[]; hunks: Hunk[]; added: number; removed: number };

/** Beyond this the search for the shortest diff would take too long; the rest then counts as replaced. */
const mostEdits = 2_000;
const mostWork = 20_000_000;

/** Lines with their ends, as git sees them: a last line without one differs from one with. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(from, next));
    from = next;
  }
  return lines;
}

/** How one text becomes the other, line by line: shortest where that can be found in bounded time. */
export function lineDiff(before: string, after: string): LineDiff {
  const [oldLines, newLines] = [linesOf(before), linesOf(after)];
  const start = commonStart(oldLines, newLines);
  const end = commonEnd(oldLines, newLines, start);
  const [a, b] = numbered(oldLines.slice(start, oldLines.length - end), newLines.slice(start, newLines.length - end));
  const hunks = (shortest(a, b) ?? [{ oldStart: 0, oldCount: a.length, newStart: 0, newCount: b.length }])
    .filter(({ oldCount, newCount }) => oldCount + newCount > 0)
    .map((hunk) => ({ ...hunk, oldStart: hunk.oldStart + start, newStart: hunk.newStart + start }));
  const sum = (pick: (hunk: Hunk) => number) => hunks.reduce((total, hunk) => total + pick(hunk), 0);
  return { oldLines, newLines, hunks, added: sum((hunk) => hunk.newCount), removed: sum((hunk) => hunk.oldCount) };
}

function commonStart(a: string[], b: string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count++;
  return count;
}

function commonEnd(a: string[], b: string[], start: number): number {
  let count = 0;
  while (count < a.length - start && count < b.length - start && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

/** Equal lines get equal numbers, so that comparing costs the same for long ones. */
function numbered(...texts: [string[], string[]]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string) => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  const [a, b] = texts;
  return [Int32Array.from(a, numberOf), Int32Array.from(b, numberOf)];
}

/**
 * Myers' greedy search: for each number of edits, how far along each diagonal one can get. Undefined where it takes more
 * edits than can be afforded.
 */
function shortest(a: Int32Array, b: Int32Array): Hunk[] | undefined {
  const limit = Math.min(mostEdits, Math.floor(mostWork / (a.length + b.length + 1)));
  const reached = new Int32Array(2 * limit + 3);
  const center = limit + 1;
  const rounds: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = farther(reached, center, diagonal, edits);
      let y = x - diagonal;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      reached[center + diagonal] = x;
      if (x >= a.length && y >= b.length) return traced(a.length, b.length, rounds, edits);
    }
    rounds.push(reached.slice(center - edits, center + edits + 1));
  }
  return undefined;
}

/** How far along a diagonal the better of the two neighbouring ones leads: by an insertion, or by a deletion. */
function farther(reached: Int32Array, center: number, diagonal: number, edits: number): number {
  if (edits === 0) return 0;
  const byInsertion = reached[center + diagonal + 1] ?? 0;
  const byDeletion = (reached[center + diagonal - 1] ?? 0) + 1;
  if (diagonal === -edits) return byInsertion;
  if (diagonal === edits) return byDeletion;
  return Math.max(byInsertion, byDeletion);
}

/** Goes back the way that was found, joining edits that touch. */
function traced(oldLength: number, newLength: number, rounds: Int32Array[], edits: number): Hunk[] {
  const hunks: Hunk[] = [];
  let [x, y] = [oldLength, newLength];
  for (let left = edits; left > 0; left--) {
    const round = rounds[left - 1] ?? new Int32Array(0);
    const center = left - 1;
    const diagonal = x - y;
    const insertion = round[center + diagonal + 1];
    const deletion = round[center + diagonal - 1];
    const isInsertion = diagonal === -left || (diagonal !== left && (insertion ?? -1) >= (deletion ?? -2) + 1);
    const fromX = isInsertion ? (insertion ?? 0) : (deletion ?? 0);
    const fromY = fromX - (isInsertion ? diagonal + 1 : diagonal - 1);
    // After the edit comes what is equal; the edit itself stands right behind where the earlier round ended.
    join(hunks, {
      oldStart: fromX,
      oldCount: isInsertion ? 0 : 1,
      newStart: fromY,
      newCount: isInsertion ? 1 : 0,
    });
    [x, y] = [fromX, fromY];
  }
  return hunks.reverse();
}

/** Hunks come last first. */
function join(hunks: Hunk[], { oldStart, oldCount, newStart, newCount }: Hunk): void {
  const later = hunks.at(-1);
  const touches = later && later.oldStart === oldStart + oldCount && later.newStart === newStart + newCount;
  if (!touches) hunks.push({ oldStart, oldCount, newStart, newCount });
  else {
    later.oldStart = oldStart;
    later.newStart = newStart;
    later.oldCount += oldCount;
    later.newCount += newCount;
  }
}
