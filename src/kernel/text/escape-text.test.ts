import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../test/harness/commons/any-character.ts";
import { escapeContent, escapeText, maxEscapeFactor } from "./escape-text.ts";

test.each([
  ["a terminal's command", "\x1b[31mred", "\\u{1b}[31mred", 1],
  ["a line's beginning", "safe\rrm", "safe\\u{d}rm", 1],
  ["a change of direction", "a\u202egnp.exe\u2066", "a\\u{202e}gnp.exe\\u{2066}", 2],
  ["what has no width", "a\u200b\u200c\ufeff\u2060", "a\\u{200b}\\u{200c}\\u{feff}\\u{2060}", 4],
  ["tags", "x\u{e0041}\u{e007f}", "x\\u{e0041}\\u{e007f}", 2],
  ["selectors that carry bytes", "x\ufe01\u{e0123}", "x\\u{fe01}\\u{e0123}", 2],
  ["a letter that is blank", "a\u3164b", "a\\u{3164}b", 1],
  ["half of a character", "\ud800x\udc00", "\\u{d800}x\\u{dc00}", 2],
  ["separators", "a\u2028\u2029b\x85", "a\\u{2028}\\u{2029}b\\u{85}", 3],
  ["a joiner of letters", "a\u200db", "a\\u{200d}b", 1],
  ["a joiner behind a picture only", "👩\u200dx👩\u200d", "👩\\u{200d}x👩\\u{200d}", 2],
  ["a style of nothing", "a\ufe0f 1\ufe0f ☂\ufe0f\ufe0f", "a\\u{fe0f} 1\\u{fe0f} ☂\ufe0f\\u{fe0f}", 3],
])("H04 %s is shown", (_what, text, shown, hidden) => {
  expect(escapeText(text)).toEqual({ text: shown, hidden });
});

test.each([
  "plain\n\ttext",
  "Ünïcödé — “quoted”",
  "日本語\n",
  "e\u0301",
  "👩\u200d💻",
  "👩🏽\u200d🚀",
  "🏳\ufe0f\u200d🌈",
  "❤\ufe0f\u200d🔥",
  "👨\u200d👩\u200d👧\u200d👦",
  "1\ufe0f\u20e3",
  "🤷🏾\u200d♂\ufe0f",
  "",
])("%j stays as it is", (text) => {
  expect(escapeText(text)).toEqual({ text, hidden: 0 });
});

test("lines end in one way", () => {
  expect(escapeText("a\r\nb\nc")).toEqual({ text: "a\nb\nc", hidden: 0 });
});

const hiding = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({
    unit: fc.constantFrom("\u200d", "\u202e", "👩", "🏽", "\ufe0f", "\r", "\n", "\ud83d", "a", "\u{e0041}"),
  }),
);

test("of any text nothing hidden is left but joiners of pictures, and what is shown is counted", () => {
  fc.assert(
    fc.property(text, (given) => {
      const { text: shown, hidden } = escapeText(given);
      expect(
        shown
          .replaceAll(/[\n\t]/g, "")
          .match(hiding)
          ?.filter((left) => left !== "\u200d") ?? [],
      ).toEqual([]);
      expect(shown).not.toMatch(/(?<!\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f]?)\u200d/u);
      expect(shown).not.toMatch(/\u200d(?!\p{Extended_Pictographic})/u);
      expect(shown.length).toBeLessThanOrEqual(maxEscapeFactor * given.length);
      expect(hidden === 0).toBe(shown === given.replaceAll("\r\n", "\n"));
      expect(escapeText(shown)).toEqual({ text: shown, hidden: 0 });
    }),
    { numRuns: 500 },
  );
});

test("every text of a value is shown, names included, and the rest stays", () => {
  const value = { a: ["x\u200b", 1, null, { "k\u200b": true }], b: "y", c: undefined };
  expect(escapeContent(value)).toEqual({
    value: { a: ["x\\u{200b}", 1, null, { "k\\u{200b}": true }], b: "y", c: undefined },
    hidden: 2,
  });
  expect(value.a[0]).toBe("x\u200b");
});

test("data without hidden characters is copied as it is, in its order, whatever it is", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: fc.constantFrom("a", "é", "1", "_") }), (value) => {
      const shown = escapeContent(value);
      expect(JSON.stringify(shown.value)).toBe(JSON.stringify(value));
      expect(shown.hidden).toBe(0);
    }),
  );
});

test("no depth exhausts the stack, and no name reaches a prototype", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(200_000)}"\u200b"${"}".repeat(200_000)}`) as unknown;
  expect(escapeContent(deep).hidden).toBe(1);
  const { value } = escapeContent(JSON.parse('{"__proto__":{"polluted":"\u200b"}}') as object);
  expect(Object.keys(value)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});
