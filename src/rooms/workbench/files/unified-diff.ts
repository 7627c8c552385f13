import type { Hunk, LineDiff } from "./line-diff.ts";

const contextLines = 3;
const longestDiff = 8_000;
const longestLine = 500;

/** A diff to look at: unified, with long lines and the end of a long diff cut off, which is said. */
export function unifiedDiff({ oldLines, newLines, hunks }: LineDiff): string {
  const lines: string[] = [];
  let length = 0;
  for (const group of grouped(hunks)) {
    for (const line of groupLines(group, oldLines, newLines)) {
      if (length + line.length > longestDiff) return [...lines, "… the rest of the diff is left out"].join("\n");
      lines.push(line);
      length += line.length + 1;
    }
  }
  return lines.join("\n");
}

/** Hunks that share lines of context are shown together. */
function grouped(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last && before && hunk.oldStart - (before.oldStart + before.oldCount) <= 2 * contextLines) last.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function* groupLines(group: Hunk[], oldLines: string[], newLines: string[]): Iterable<string> {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return;
  const before = Math.min(contextLines, first.oldStart);
  const after = Math.min(contextLines, oldLines.length - (last.oldStart + last.oldCount));
  const [oldFrom, newFrom] = [first.oldStart - before, first.newStart - before];
  const oldCount = last.oldStart + last.oldCount + after - oldFrom;
  const newCount = last.newStart + last.newCount + after - newFrom;
  yield `@@ -${range(oldFrom, oldCount)} +${range(newFrom, newCount)} @@`;
  let at = oldFrom;
  for (const { oldStart, oldCount: removed, newStart, newCount: added } of group) {
    for (; at < oldStart; at++) yield shown(" ", oldLines[at]);
    for (const line of oldLines.slice(oldStart, oldStart + removed)) yield shown("-", line);
    for (const line of newLines.slice(newStart, newStart + added)) yield shown("+", line);
    at = oldStart + removed;
  }
  for (const line of oldLines.slice(at, at + after)) yield shown(" ", line);
}

function range(from: number, count: number): string {
  return count === 1 ? `${from + 1}` : `${count === 0 ? from : from + 1},${count}`;
}

function shown(sign: string, line = ""): string {
  const text = line.replace(/\r?\n$/, "");
  return `${sign}${text.length > longestLine ? `${text.slice(0, longestLine)}…` : text}`;
}
