import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../test/harness/commons/any-character.ts";
import { visible, visibleJson } from "./visible.ts";

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const joined = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})/gu;

test.each([
  ["a line", "a\r\n\tb", "a\\r\\n\\tb"],
  ["a terminal's command", "\x1b[31m\x9b0m", "\\x1b[31m\\x9b0m"],
  ["a change of direction", "safe\u202egnp.exe", "safe\\u202egnp.exe"],
  ["what has no width", "a\u200b\ufeff", "a\\u200b\\ufeff"],
  ["a tag", "x\u{e0041}", "x\\u{e0041}"],
  ["half of a character", "\ud800x", "\\ud800x"],
  ["a separator", "a\u2028b", "a\\u2028b"],
  ["a joiner that joins no pictures", "\u200da\u200db 👩\u200d b\u200d💻", "\\u200da\\u200db 👩\\u200d b\\u200d💻"],
])("%s is shown and not obeyed", (_what, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test.each(["plain", "Ünïcödé", "日本語", "🙂 ok", "e\u0301", "👩\u200d💻 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥", ""])(
  "%s stays as it is",
  (text) => {
    expect(visible(text)).toBe(text);
  },
);

test("nothing unseen is left of any text, and JSON still means the same", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(visible(text).replace(joined, "")).not.toMatch(unseen);
      const json = visibleJson(JSON.stringify(text));
      expect(json).not.toMatch(unseen);
      expect(JSON.parse(json)).toBe(text);
    }),
  );
});

test("each character of the first plane is shown exactly where it cannot be seen", () => {
  const wrong = Array.from({ length: 65_536 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => (visibleJson(character) !== character) !== unseen.test(character),
  );
  expect(wrong).toEqual([]);
});
