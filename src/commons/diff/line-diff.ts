import { type StructuredPatchHunk, structuredPatch } from "diff";

const context = 3;
/** Beyond this the search for the shortest diff takes too long; all lines between the first and the last change then count as replaced. */
const searchLimits = { maxEditLength: 2_000, timeout: 2_000 };

export type Hunk = StructuredPatchHunk;

export type LineDiff = { hunks: Hunk[]; added: number; removed: number };

/** How one text becomes the other, line by line. A last line without a line ending differs from one with. */
export function diffLines(before: string, after: string): LineDiff {
  const patch = structuredPatch("", "", before, after, "", "", { context, ...searchLimits });
  const hunks = patch ? patch.hunks : [replaceMiddle(splitLines(before), splitLines(after))];
  const count = (sign: string) =>
    hunks.reduce((total, { lines }) => total + lines.filter((line) => line.startsWith(sign)).length, 0);
  return { hunks, added: count("+"), removed: count("-") };
}

/** Hunks as text: `@@ -1,2 +1,3 @@` and the lines. Cut at `maxLength`, and lines at `maxLineLength`, where these are given. */
export function formatHunks(
  hunks: readonly Hunk[],
  { maxLength = Number.POSITIVE_INFINITY, maxLineLength = Number.POSITIVE_INFINITY } = {},
): string {
  const shown: string[] = [];
  let length = 0;
  for (const line of hunks.flatMap(hunkLines)) {
    const text = line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line;
    if (length + text.length > maxLength) return [...shown, "… the rest of the diff is left out"].join("\n");
    shown.push(text);
    length += text.length + 1;
  }
  return shown.join("\n");
}

function hunkLines({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string[] {
  // The position of an empty range is the line before it.
  const range = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;
  return [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines.map((line) => line.replace(/\r$/, "")),
  ];
}

/** One hunk for everything between the lines that both texts begin and end with. */
function replaceMiddle(old: string[], now: string[]): Hunk {
  const start = countCommon(old, now, Math.min(old.length, now.length), (lines, index) => lines[index]);
  const rest = Math.min(old.length, now.length) - start;
  const end = countCommon(old, now, rest, (lines, index) => lines.at(-1 - index));
  const from = Math.max(0, start - context);
  const after = Math.min(end, context);
  const lines = [
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...now.slice(start, now.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end, old.length - end + after).map((line) => ` ${line}`),
  ];
  return {
    oldStart: from + 1,
    oldLines: old.length - end + after - from,
    newStart: from + 1,
    newLines: now.length - end + after - from,
    // The mark of a missing line ending is a line of its own.
    lines: lines.flatMap((line) => line.split("\n")),
  };
}

function countCommon(
  old: string[],
  now: string[],
  max: number,
  at: (lines: string[], index: number) => string | undefined,
): number {
  let count = 0;
  while (count < max && at(old, count) === at(now, count)) count++;
  return count;
}

/** A last line without a line ending is marked, as in every diff. */
function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}
