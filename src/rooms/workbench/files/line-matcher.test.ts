import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineMatcher } from "./line-matcher.ts";

async function linesOf(query: string, text: string, { regex = true, caseSensitive = true } = {}) {
  const matcher = await createLineMatcher(query, { regex, caseSensitive });
  return [...matcher.lines(text)].filter((line) => line !== undefined);
}

const find = async (query: string, text: string, caseSensitive = true) =>
  (await linesOf(query, text, { caseSensitive }))[0]?.at ?? -1;

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
    ["\\p{L}+", "12 äß", 3],
    ["\\p{Lu}", "aÄ", 1],
    ["\\P{L}", "é-", 1],
    ["\\p{Greek}+", "ab λόγος", 3],
    ["[[:alpha:]]", "1a", 1],
    ["(?<word>b+)", "ab", 1],
    ["^*b", "ab", 1],
  ])("%s in %j is at %i", async (expression, text, at) => {
    expect(await find(expression, text)).toBe(at);
  });

  it("ignores case on request", async () => {
    expect(await find("[a-c]x|é", "zÉ", false)).toBe(1);
    expect(await linesOf("ToDo", "x\r\n// TODO\r\n", { regex: false, caseSensitive: false })).toEqual([
      { line: 2, from: 3, to: 10, at: 6 },
    ]);
    expect(await linesOf("a.b(", "A.B(\naxb(", { regex: false, caseSensitive: false })).toHaveLength(1);
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
    "[b-a]",
    "(?<!a)b",
    "(?<=a)b",
    "(a.{900}){2}",
    "(((a{100}){100}){100}){100}",
    "(".repeat(1000),
  ])("refuses %s", async (expression) => {
    await expect(find(expression, "a")).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(/^The regular expression (is not valid: .+\.|repeats too much)/),
    });
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
  it("finds a line where JavaScript does, and nowhere else", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 6 }),
        fc.string({ unit: fc.constantFrom("a", "b", "c", " "), minLength: 1, maxLength: 12 }),
        async (parts, text) => {
          const expression = parts.join("");
          expect(await find(expression, text)).toBe(new RegExp(expression).exec(text)?.index ?? -1);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("takes time in proportion to the text for what makes others take forever", async () => {
    const text = "a".repeat(200_000);
    for (const expression of ["(a*)*b", "(a|a)*b", "(a?){100}a{100}b", "(.*)*(.*)*(.*)*x", "(x+x+)+y"])
      expect(await find(expression, text)).toBe(-1);
  });

  it("bounds the length of lines by the size of the expression", async () => {
    const options = { regex: true, caseSensitive: true };
    const small = await createLineMatcher("fn\\s+\\w+", options);
    const large = await createLineMatcher("a.{900}[^ab]", options);
    expect(small.maxLineLength).toBeGreaterThan(2 * 1_048_576);
    expect(large.maxLineLength).toBeLessThan(100_000);
  });
});

describe("lines", () => {
  const text = "one two\r\ntwo\n\nthree two two\ntwo";
  const expected = [
    { line: 1, from: 0, to: 7, at: 4 },
    { line: 2, from: 9, to: 12, at: 9 },
    { line: 4, from: 14, to: 27, at: 20 },
    { line: 5, from: 28, to: 31, at: 28 },
  ];
  it.each([true, false])("are found once each, with their places (regex: %s)", async (regex) => {
    expect(await linesOf("two", text, { regex })).toEqual(expected);
  });
  it("end at LF or CRLF", async () => {
    expect((await linesOf("two$", text)).map(({ line }) => line)).toEqual([1, 2, 4, 5]);
  });
  it("come with pauses, so that others can run", async () => {
    const matcher = await createLineMatcher("never$", { regex: true, caseSensitive: true });
    expect([...matcher.lines("x\n".repeat(1_000))]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});
