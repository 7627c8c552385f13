import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { widthOf } from "../text.ts";
import { fold } from "./fold.ts";

describe("fold", () => {
  it("breaks between words", () => {
    expect(fold("one two three", 8)).toEqual(["one two", "three"]);
  });

  it("keeps a line's indentation and breaks words that are too wide", () => {
    expect(fold("    abcdefgh", 6)).toEqual(["    ab", "cdefgh"]);
  });

  it("counts wide characters as two columns", () => {
    expect(fold("日本語日本語", 6)).toEqual(["日本語", "日本語"]);
  });

  it("keeps every line within the width and loses nothing but blanks, whatever the text", () => {
    const texts = fc.string({ unit: fc.oneof(fc.constantFrom("日", " ", "\n", "\t", "\x1b", "é", "😀"), fc.string()) });
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 60 }), (text, width) => {
        const lines = fold(text, width);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        const inked = (value: string) => value.replace(/\s/g, "");
        expect(inked(lines.join(""))).toBe(inked(fold(text, 100_000).join("")));
      }),
    );
  });
});
