import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../../bench/statistics.ts";
import { globMatcher } from "./glob.ts";
import { lineMatcher } from "./line-matcher.ts";

const find = (query: string, text: string, caseSensitive = true) =>
  [...lineMatcher(query, { regex: true, caseSensitive }).lines(text)][0]?.at ?? -1;

describe("regular expressions", () => {
  it.each<[expression: string, text: string, at: number]>([
    ["b+", "aabbb", 2],
    ["^b", "ab", -1],
    ["a$", "ba", 1],
    ["a$", "ab", -1],
    ["\\bfoo\\b", "a foo b", 2],
    ["\\bfoo\\b", "afoo foo", 5],
    ["\\Boo", "foo", 1],
    ["(?:ab|cd){2}x", "abcdcdx", 2],
    ["[^a-c]+", "abcd", 3],
    ["[]x]", "a]", 1],
    ["[a-]", "b-", 1],
    ["\\d{3}", "12 345", 3],
    ["a{2,}", "a aaa", 2],
    ["x{", "ax{", 1],
    ["\\.", "a.b", 1],
    ["\\x41\\u0042", "xAB", 1],
    ["", "abc", 0],
    ["a|", "ba", 0],
    ["é.", "xé💡", 1],
    ["fn\\s+\\w+\\(", "pub fn main() {", 4],
  ])("%s in %j is at %i", (expression, text, at) => {
    expect(find(expression, text)).toBe(at);
  });

  it("ignores case where told", () => {
    expect(find("[a-c]x|é", "zÉ", false)).toBe(1);
    expect([...lineMatcher("ToDo", { regex: false, caseSensitive: false }).lines("x\r\n// TODO\r\n")]).toEqual([
      { line: 2, from: 3, to: 10, at: 6 },
    ]);
  });

  it.each([
    "(a",
    "a)",
    "[a",
    "a**",
    "*a",
    "(?=a)",
    "(a)\\1",
    "\\p",
    "a\\n",
    "a{2000}",
    "a{3,2}",
    "\\",
    "[[:alpha:]]",
    "[b-a]",
    "(((a{100}){100}){100}){100}",
    "(".repeat(1000),
    "^*",
  ])("refuses %s", (expression) => {
    expect(() => find(expression, "a")).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
  });

  const part = fc.constantFrom(
    "a",
    "b",
    ".",
    "[ab]",
    "[^a]",
    "\\w",
    "\\b",
    "^",
    "$",
    "(?:a|bc)",
    "(?:a*b)+",
    "\\s",
    "c?",
    "a{1,2}",
    "|",
  );
  it("finds a line where JavaScript does, and nowhere else", () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }),
        fc.string({ unit: fc.constantFrom("a", "b", "c", " "), minLength: 1, maxLength: 12 }),
        (parts, text) => {
          const expression = parts.join("");
          const theirs = new RegExp(expression).exec(text);
          const ours = find(expression, text);
          expect(ours !== -1).toBe(theirs !== null);
          const here = new RegExp(expression, "y");
          here.lastIndex = ours;
          if (theirs) expect(here.test(text)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("takes time in proportion to the text for what makes others take forever", () => {
    const text = "a".repeat(200_000);
    for (const expression of ["(a*)*b", "(a|a)*b", "(a?){100}a{100}b", "(.*)*(.*)*(.*)*x", "(x+x+)+y"])
      expect(find(expression, text)).toBe(-1);
  });

  it("forgets states where there would be too many, and goes on", () => {
    const text = Array.from({ length: 20_000 }, (_, index) => ((index * 7919) % 3 === 0 ? "a" : "b")).join("");
    expect(find("a.{14}[^ab]", text)).toBe(-1);
    expect(find("a.{14}c", `${text}a${"b".repeat(14)}c`)).toBe(20_000);
  });
});

it("gives up on an expression whose ways to match multiply, within seconds", () => {
  const random = seededRandom(1);
  const text = Array.from({ length: 100_000 }, () => (random() < 0.5 ? "a" : "b")).join("");
  expect(() => find("a.{900}[^ab]", text)).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
});

describe("lines", () => {
  const text = "one two\r\ntwo\n\nthree two two\ntwo";
  const expected = [
    { line: 1, from: 0, to: 7, at: 4 },
    { line: 2, from: 9, to: 12, at: 9 },
    { line: 4, from: 14, to: 27, at: 20 },
    { line: 5, from: 28, to: 31, at: 28 },
  ];
  it.each([true, false])("are found once each, with their places (regex: %s)", (regex) => {
    expect([...lineMatcher("two", { regex, caseSensitive: true }).lines(text)]).toEqual(expected);
  });
  it("end where a line does on any system", () => {
    const ends = lineMatcher("two$", { regex: true, caseSensitive: true });
    expect([...ends.lines(text)].map(({ line }) => line)).toEqual([1, 2, 4, 5]);
  });
});

describe("patterns of names", () => {
  it.each<[glob: string, path: string, fits: boolean]>([
    ["*.ts", "src/a.ts", true],
    ["*.ts", "a.tsx", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/b/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/b/c/a.ts", true],
    ["**/test/**", "a/test/b", true],
    ["src/**", "srcs/a", false],
    ["*.{js,ts}", "x/a.js", true],
    ["{src,lib}/**", "lib/a", true],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["[a-c]x", "bx", true],
    ["[!a-c]x", "bx", false],
    ["./src/*", "src/a", true],
    ["a\\*", "a*", true],
    ["line\nbreak*", "d/line\nbreak.txt", true],
  ])("%s and %j: %s", (glob, path, fits) => {
    expect(globMatcher(glob)(path)).toBe(fits);
  });

  it.each(["[a", "{a", "a\\", `${"{".repeat(12)}`])("refuses %s", (glob) => {
    expect(() => globMatcher(glob)).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
  });

  it("is not slowed by many stars", () => {
    expect(globMatcher(`${"*a".repeat(100)}b`)("a".repeat(4_000))).toBe(false);
  });
});
