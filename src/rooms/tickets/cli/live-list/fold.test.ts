import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainLines, widthOf } from "../../../../platform/terminal/text.ts";
import { fold } from "./fold.ts";

describe("fold", () => {
  it("breaks between words", () => {
    expect(fold("one two three", 8)).toEqual(["one two", "three"]);
  });

  it("indents what follows like the line it belongs to", () => {
    expect(fold("  one two three", 10)).toEqual(["  one two", "  three"]);
  });

  it("keeps a line's indentation and breaks words that are too wide", () => {
    expect(fold("    abcdefgh", 6)).toEqual(["    ab", "cdefgh"]);
  });

  it("counts wide characters as two columns", () => {
    expect(fold("日本語日本語", 6)).toEqual(["日本語", "日本語"]);
  });

  it("keeps characters whole and marks with the character they belong to", () => {
    expect(fold(`${"a".repeat(18)}😀`, 19)).toEqual(["a".repeat(18), "😀"]);
    expect(fold(`${"a".repeat(19)}e\u0301`, 19)).toEqual(["a".repeat(19), "e\u0301"]);
    expect(fold(`${"a".repeat(18)}e\u0301b`, 19)).toEqual([`${"a".repeat(18)}e\u0301`, "b"]);
  });

  it("keeps every line within the width, every character whole, and loses nothing but blanks", () => {
    const characters = ["日", "e", "\u0301", "😀", " ", "\n", "\t", "\x1b", "\ud83d", "word"];
    const texts = fc.string({ unit: fc.constantFrom(...characters), maxLength: 120 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 40 }), (text, width) => {
        const lines = fold(text, width);
        for (const line of lines) {
          expect(widthOf(line)).toBeLessThanOrEqual(width);
          expect(line).not.toMatch(/\p{Cs}/u);
        }
        const inked = (value: string) => value.replace(/\s/g, "");
        expect(inked(lines.join(""))).toBe(inked(plainLines(text)));
      }),
      { numRuns: 2000 },
    );
  });
});
