import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toText } from "./to-text.ts";

const shown = (output: string | number[]) =>
  toText(typeof output === "string" ? Buffer.from(output) : Buffer.from(output));

describe("F04 a program's output as text", () => {
  it.each([
    ["colours", "\u001b[31mred\u001b[0m \u001b[38;5;200mpink\u001b[m", "red pink"],
    ["cursor movements", "a\u001b[2J\u001b[1;1Hb\u001b[?25l", "ab"],
    ["a title", "\u001b]0;own the title\u0007text", "text"],
    ["a link", "\u001b]8;;https://example.org\u001b\\name\u001b]8;;\u001b\\", "name"],
    ["a title that never ends", "\u001b]0;hidden\nshown", "\nshown"],
    ["a sequence that never ends", "before \u001b[31", "before "],
    ["progress", "10 %\r50 %\r100 %\r\ndone\r\n", "100 %\ndone\n"],
    ["NUL and other controls", "a\0b\u0008c\u007fd\u0085e\tf", "abcde\tf"],
    ["what is harmless", "naïve 日本 😀\n", "naïve 日本 😀\n"],
  ])("%s", (_name, output, expected) => {
    expect(shown(output)).toBe(expected);
  });

  it("marks bytes that are not UTF-8", () => {
    expect(shown([0x61, 0xff, 0xfe, 0x62])).toBe("a\ufffd\ufffdb");
    expect(shown([0xe2, 0x82])).toBe("\ufffd");
  });

  it("lets no control character through, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (bytes, text) => {
        const result = toText(Buffer.concat([bytes, Buffer.from(`\u001b[${text}\u001b]${text}`)]));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
        expect(result).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
    );
  });
});
