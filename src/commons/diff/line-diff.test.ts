import { applyPatch, type StructuredPatch } from "diff";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeSandbox, writeFiles } from "../../../test/harness/git/git.ts";
import { diffLines, formatHunks } from "./line-diff.ts";

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\n", "d\r\n", "\n"), { maxLength: 30 })
  .map((lines) => lines.join(""));

const linesOf = (whole: string) => whole.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The most lines that both have in common: the plain way, which takes time and memory. */
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

/** A patch as the library takes it. */
const patchOf = (hunks: StructuredPatch["hunks"]) => ({
  hunks,
  oldFileName: "",
  newFileName: "",
  oldHeader: "",
  newHeader: "",
});

describe("a line diff", () => {
  it("turns the old text into the new one with as few lines as possible", () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom("", "end"), (before, after, end) => {
        const { hunks, added, removed } = diffLines(before, after + end);
        expect(applyPatch(before, patchOf(hunks))).toBe(after + end);
        const [a, b] = [linesOf(before), linesOf(after + end)];
        const common = commonLines(a, b);
        expect([added, removed]).toEqual([b.length - common, a.length - common]);
      }),
      { numRuns: 1000 },
    );
  });

  it("stays bounded for large texts that have nothing in common, and is still a correct diff", () => {
    const lines = (name: string) => Array.from({ length: 60_000 }, (_, index) => `${name} ${index}\n`).join("");
    const [a, b] = [lines("a"), `${lines("b")}last`];
    const { hunks, added, removed } = diffLines(`same\n${a}`, `same\n${b}`);
    expect({ added, removed }).toEqual({ added: 60_001, removed: 60_000 });
    expect(applyPatch(`same\n${a}`, patchOf(hunks))).toBe(`same\n${b}`);
    const changed = lines("a").replace("a 30000\n", "new\nnew\n");
    expect(diffLines(lines("a"), changed)).toMatchObject({ added: 2, removed: 1 });
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
    expect(formatHunks(diffLines(before, after).hunks)).toBe(theirs);
  });

  it("is cut where it is long", () => {
    const { hunks } = diffLines("", `${"x".repeat(2_000)}\n`.repeat(100));
    const diff = formatHunks(hunks, { maxLength: 8_000, maxLineLength: 500 });
    expect(diff.length).toBeLessThan(8_100);
    expect(diff).toMatch(/left out$/);
  });
});
