import { expect, test } from "vitest";
import { padText, plain, plainJson, plainLines, truncate, widthOf, wrapText } from "./text.ts";

const hostile = {
  colour: "\x1b[31mred\x1b[0m",
  title: "\x1b]0;owned\x07",
  c1: "\x9b31m",
  back: "a\b\b\x7f",
  bidi: "safe\u202egnp.exe\u2066",
  zeroWidth: "a\u200bb\u2060c\ufeff",
  tag: "x\u{e0041}\u{e007f}",
  lone: "\ud800x",
  separator: "a\u2028b\u2029c",
};

test.each(Object.entries(hostile))("nothing that a terminal obeys is left of %s", (_name, text) => {
  const seen = plain(text);
  expect(seen).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  expect(seen).toContain("\\");
});

test("what was there can be read", () => {
  expect(plain("a\x1b[1m\r\n\tb\u202e\u{e0041}")).toBe("a\\x1b[1m\\r\\n\\tb\\u202e\\u{e0041}");
  expect(plainLines("a\n\tb\x07")).toBe("a\n\tb\\x07");
});

test.each(["Ünïcödé", "日本語", "🙂 ok", "naïve café", "e\u0301"])("%s stays as it is", (text) => {
  expect(plain(text)).toBe(text);
});

test.each(Object.entries(hostile))("JSON with %s means the same when made plain", (_name, text) => {
  const json = plainJson(JSON.stringify({ text }, null, 2));
  expect(JSON.parse(json)).toEqual({ text });
  expect(json.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
});

test.each([
  ["abc", 3],
  ["日本", 4],
  ["한국", 4],
  ["ｆｕｌｌ", 8],
  ["🙂", 2],
  ["e\u0301", 1],
  ["é", 1],
  ["", 0],
])("%s is %i columns wide", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test.each([
  ["abcdef", 4, "abc…"],
  ["abcd", 4, "abcd"],
  ["日本語の", 5, "日本…"],
  ["日本語の", 4, "日…"],
])("%s cut to %i columns is %s", (text, width, expected) => {
  expect(truncate(text, width)).toBe(expected);
  expect(widthOf(truncate(text, width))).toBeLessThanOrEqual(width);
});

test("a picture joined of several is cut between them, and no joiner is left at the end", () => {
  const text = "ab👩\u200d💻cd";
  for (let width = 1; width < 8; width++) {
    const short = truncate(plain(text), width);
    expect(widthOf(short)).toBeLessThanOrEqual(width);
    expect(plain(short)).toBe(short);
  }
});

test("padding counts columns", () => {
  expect([padText("日", 4), padText("7", 3, "right"), padText("long", 2)]).toEqual(["日  ", "  7", "long"]);
});

test("lines break between words, and only there", () => {
  expect(wrapText("one two  three\nfour", 9)).toEqual(["one two", "three", "four"]);
  expect(wrapText("a verylongword b", 5)).toEqual(["a", "verylongword", "b"]);
  expect(wrapText("", 5)).toEqual([]);
});
