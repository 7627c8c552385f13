import fc from "fast-check";
import { expect, test } from "vitest";
import { addBlock, blockOf, changeBlock, readBlock, removeBlock } from "./marked-block.ts";

const block = blockOf("# Forge\n\nwords");

const texts = fc
  .record({
    lines: fc.array(fc.constantFrom("# A", "words", "", "- x", "<!-- other:begin -->", "日本"), { maxLength: 6 }),
    isCrLf: fc.boolean(),
    end: fc.constantFrom("", "\n", "\n\n\n"),
  })
  .map(({ lines, isCrLf, end }) => {
    const text = lines.join("\n") + end;
    return isCrLf ? text.replaceAll("\n", "\r\n") : text;
  });

test("adding and removing gives the bytes of before", () => {
  fc.assert(
    fc.property(
      texts.filter((text) => text.trim() !== ""),
      (text) => {
        const added = addBlock("AGENTS.md", text, block).text;
        expect(added.startsWith(text)).toBe(true);
        expect(readBlock("AGENTS.md", added)).toBe(block);
        expect(removeBlock("AGENTS.md", added)).toBe(text);
      },
    ),
  );
});

test("only what is between the marks is changed, in the file's own line ends", () => {
  const text = `# A\r\n\r\n<!-- forge:begin -->\r\nold\r\n<!-- forge:end -->\r\n\r\n# B`;
  expect(changeBlock("AGENTS.md", text, blockOf("new\nlines"))).toBe(
    "# A\r\n\r\n<!-- forge:begin -->\r\nnew\r\nlines\r\n<!-- forge:end -->\r\n\r\n# B",
  );
});

test.each([
  ["a begin without an end", "a\n<!-- forge:begin -->\nb", 2],
  ["an end without a begin", "<!-- forge:end -->", 1],
  ["two blocks", "<!-- forge:begin -->\n<!-- forge:end -->\n<!-- forge:begin -->\n<!-- forge:end -->", 3],
  ["a block in a block", "<!-- forge:begin -->\n<!-- forge:begin -->\n<!-- forge:end -->", 2],
])("refuses %s, naming the line", (_what, text, line) => {
  expect(() => readBlock("AGENTS.md", text)).toThrow(`AGENTS.md, line ${line}:`);
});

test("an unresolved merge is not added to", () => {
  expect(() => addBlock("AGENTS.md", "# A\n<<<<<<< HEAD\nx\n", block)).toThrow("AGENTS.md, line 2:");
});
