import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeSandbox, writeFiles } from "../../../../test/harness/git.ts";
import { lineDiff, linesOf } from "./line-diff.ts";
import { unifiedDiff } from "./unified-diff.ts";

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\n", "d\r\n", "\n"), { maxLength: 30 })
  .map((lines) => lines.join(""));

/** What comes of the old text by the diff. */
function applied(before: string, after: string): string {
  const { oldLines, newLines, hunks } = lineDiff(before, after);
  const made: string[] = [];
  let at = 0;
  for (const { oldStart, oldCount, newStart, newCount } of hunks) {
    made.push(...oldLines.slice(at, oldStart), ...newLines.slice(newStart, newStart + newCount));
    at = oldStart + oldCount;
  }
  return [...made, ...oldLines.slice(at)].join("");
}

/** The most lines that can stay: by the plain way, which takes time and room. */
function commonLines(a: string[], b: string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (const [j, other] of b.entries())
      next.push(line === other ? (row[j] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe("a line diff", () => {
  it("makes the new text of the old one with as few lines as can be", () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom("", "end"), (before, after, end) => {
        expect(applied(before, after + end)).toBe(after + end);
        const { added, removed } = lineDiff(before, after + end);
        const [a, b] = [linesOf(before), linesOf(after + end)];
        const common = commonLines(a, b);
        expect([added, removed]).toEqual([b.length - common, a.length - common]);
      }),
      { numRuns: 1000 },
    );
  });

  it("stays bounded for large texts that have nothing in common, and is then still a diff", () => {
    const lines = (name: string) => Array.from({ length: 60_000 }, (_, index) => `${name} ${index}\n`).join("");
    expect(lineDiff(lines("a"), lines("b"))).toMatchObject({ added: 60_000, removed: 60_000 });
    const changed = lines("a").replace("a 30000\n", "new\nnew\n");
    expect(lineDiff(lines("a"), changed)).toMatchObject({ added: 2, removed: 1 });
  });
});

describe("a unified diff", () => {
  it("is what git shows", () => {
    const sandbox = makeSandbox();
    onTestFinished(() => sandbox.dispose());
    const before = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("");
    const after = before
      .replace("line 3\n", "")
      .replace("line 20\n", "twenty\n")
      .replace("line 39\n", "line 39\nmore\n");
    const folder = sandbox.repository("r", { f: before });
    writeFiles(folder, { f: after });
    const shown = sandbox.git(folder, "diff", "--no-color");
    const theirs = shown
      .slice(shown.indexOf("@@"))
      .replace(/^(@@ .* @@).*$/gm, "$1")
      .trimEnd();
    expect(unifiedDiff(lineDiff(before, after))).toBe(theirs);
  });

  it("is cut where it is long", () => {
    const diff = unifiedDiff(lineDiff("", `${"x".repeat(2_000)}\n`.repeat(100)));
    expect(diff.length).toBeLessThan(8_100);
    expect(diff).toMatch(/left out$/);
  });
});
