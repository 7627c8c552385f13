const context = 3;
const maxTableSize = 4_000_000;

type Line = { mark: " " | "-" | "+"; text: string };

/** The change of one file as a unified diff; an absent file is `/dev/null`. */
export function unifiedDiff(name: string, before: string | undefined, after: string | undefined): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  const lines = compare(old, now);
  const head = [`--- ${before === undefined ? "/dev/null" : name}`, `+++ ${after === undefined ? "/dev/null" : name}`];
  return [...head, ...hunks(lines)].join("\n");
}

/** A file without a line end after its last line says so, like in every diff. */
function linesOf(text: string | undefined): string[] {
  if (!text) return [];
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`];
}

function compare(old: string[], now: string[]): Line[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const same = (text: string): Line => ({ mark: " ", text });
  return [
    ...old.slice(0, start).map(same),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

/** The longest common subsequence; where the table for it would be too large, all of the old and then all of the new. */
function middle(old: string[], now: string[]): Line[] {
  if (old.length * now.length > maxTableSize) {
    return [...old.map((text): Line => ({ mark: "-", text })), ...now.map((text): Line => ({ mark: "+", text }))];
  }
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i]?.fill(old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1)), j, j + 1);
    }
  }
  const lines: Line[] = [];
  for (let [i, j] = [0, 0]; i < old.length || j < now.length; ) {
    const [left, right] = [old[i], now[j]];
    if (left !== undefined && left === right) [i, j] = [push(lines, " ", left, i), j + 1];
    else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) i = push(lines, "-", left, i);
    else if (right !== undefined) j = push(lines, "+", right, j);
  }
  return lines;
}

function push(lines: Line[], mark: Line["mark"], text: string, index: number): number {
  lines.push({ mark, text });
  return index + 1;
}

function hunks(lines: Line[]): string[] {
  const changed = lines.flatMap(({ mark }, index) => (mark === " " ? [] : [index]));
  const groups: { from: number; to: number }[] = [];
  for (const index of changed) {
    const last = groups.at(-1);
    if (last && index - last.to <= 2 * context) last.to = index;
    else groups.push({ from: index, to: index });
  }
  return groups.flatMap(({ from, to }) =>
    hunk(lines, Math.max(0, from - context), Math.min(lines.length, to + context + 1)),
  );
}

function hunk(lines: Line[], from: number, to: number): string[] {
  const shown = lines.slice(from, to);
  const count = (part: Line[], without: Line["mark"]) => part.filter(({ mark }) => mark !== without).length;
  const range = (without: Line["mark"]) => {
    const length = count(shown, without);
    return `${count(lines.slice(0, from), without) + (length > 0 ? 1 : 0)},${length}`;
  };
  return [`@@ -${range("+")} +${range("-")} @@`, ...shown.map(({ mark, text }) => mark + text)];
}
