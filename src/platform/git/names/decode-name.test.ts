import { describe, expect, it } from "vitest";
import { decodeName, quoteName } from "./decode-name.ts";

const bytes = (text: string) => Buffer.from(text);

describe("decodeName", () => {
  it.each([
    "plain.txt",
    "with space",
    'quote"',
    "back\\slash",
    "new\nline",
    "ünïcode",
    "日本",
    "🦆",
    "\uFEFFbom",
    "\uFFFD",
  ])("leaves %j as it is", (name) => expect(decodeName(bytes(name))).toBe(name));

  it("shows bytes that are no UTF-8 as \\xNN", () => {
    expect(decodeName(Buffer.from([0x61, 0xff, 0xc3, 0xa9, 0xc3]))).toBe("a\\xFFé\\xC3");
  });

  it("cuts a name longer than any file system's, at a whole character", () => {
    const cut = decodeName(bytes("é".repeat(5000)));
    expect(cut).toBe(`${"é".repeat(2048)}…`);
  });
});

describe("quoteName", () => {
  it.each([
    ["plain.txt", "plain.txt"],
    ["with space", "with space"],
    ["ünï 🦆", "ünï 🦆"],
    ["new\nline", '"new\\nline"'],
    ['say "hi"', '"say \\"hi\\""'],
    ["back\\slash", '"back\\\\slash"'],
    ["bell\x07tab\t", '"bell\\atab\\t"'],
    ["\x1b[31m", '"\\033[31m"'],
    ["line\u2028separator", '"line\\342\\200\\250separator"'],
  ])("writes %j on one line", (name, line) => expect(quoteName(bytes(name))).toBe(line));

  it("quotes bytes that are no UTF-8", () => {
    expect(quoteName(Buffer.from([0x61, 0xff, 0x22]))).toBe('"a\\xFF\\""');
  });
});
