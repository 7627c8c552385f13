import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keysIn } from "./keys.ts";

describe("keysIn", () => {
  it.each([
    ["\x1b[A", "up"],
    ["\x1bOA", "up"],
    ["\x1b[B", "down"],
    ["\x1b[5~", "page-up"],
    ["\x1b[6~", "page-down"],
    ["\x1b[H", "home"],
    ["\x1b[1~", "home"],
    ["\x1bOF", "end"],
    ["\x1b[4~", "end"],
    ["\r", "enter"],
    ["\x7f", "backspace"],
    ["\x03", "interrupt"],
    ["\x15", "erase-line"],
    ["\x1b", "escape"],
  ])("%j is %s", (sent, name) => {
    expect(keysIn(sent)).toEqual([{ name }]);
  });

  it("keeps the order of keys that come together, and characters of any plane whole", () => {
    expect(keysIn("a\x1b[B😀\x1b")).toEqual([{ text: "a" }, { name: "down" }, { text: "😀" }, { name: "escape" }]);
  });

  it("passes over keys it does not know, and does not take their parts for letters", () => {
    expect(keysIn("\x1b[15~\x1b[1;5C\x1bOP\x01q")).toEqual([{ text: "q" }]);
  });

  it("never hands on a control character as text, whatever is sent", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.oneof(fc.constantFrom("\x1b", "[", "O", "~", "A", "\x00"), fc.string()) }),
        (sent) => {
          for (const key of keysIn(sent)) if ("text" in key) expect(key.text >= " ").toBe(true);
        },
      ),
    );
  });
});
