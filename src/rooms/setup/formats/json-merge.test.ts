import fc from "fast-check";
import { getNodeValue, parseTree } from "jsonc-parser";
import { expect, test } from "vitest";
import { jsoncDocuments } from "../../../../test/harness/fs/jsonc-documents.ts";
import { EntryFile } from "../clients/entry-format.ts";
import { parseJson } from "./json-document.ts";
import { takeOut } from "./splice.ts";

const entries = new EntryFile("json", "mcp.json", { key: "mcpServers", name: "forge" });
const entry = { command: "forge", args: ["mcp"] };

function parsed(text: string): Record<string, unknown> {
  const root = parseTree(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true });
  return root ? getNodeValue(root) : {};
}

const documents = jsoncDocuments("mcpServers");

test("an entry is added to any document, and nothing else changes", () => {
  fc.assert(
    fc.property(documents, ({ text }) => {
      const { text: after, splices } = entries.add(text, entry);
      expect(takeOut(after, splices)).toBe(text);
      expect(entries.read(after)).toEqual(entry);
      const { mcpServers, ...rest } = parsed(after);
      const { forge: _, ...others } = mcpServers as Record<string, unknown>;
      const { mcpServers: before = {}, ...restBefore } = parsed(text);
      expect([rest, others]).toEqual([restBefore, before]);
    }),
    { numRuns: 500 },
  );
});

test("taking it out by structure gives the bytes of before, where other servers were there", () => {
  fc.assert(
    fc.property(
      documents.filter(({ hadServers }) => hadServers),
      ({ text }) => {
        expect(entries.remove(entries.add(text, entry).text, false)).toBe(text);
      },
    ),
    { numRuns: 500 },
  );
});

test("taking it out by structure never touches anything else", () => {
  fc.assert(
    fc.property(documents, ({ text, hadContainer }) => {
      const removed = entries.remove(entries.add(text, entry).text, !hadContainer);
      expect(parsed(removed)).toEqual(parsed(text));
    }),
    { numRuns: 500 },
  );
});

test("a change replaces its values and leaves comments and other keys", () => {
  const text =
    '{"mcpServers": {"forge": {\n  // why\n  "command": "forge", "args": ["mcp"], "env": {"A": "1"} /* end */ }}}';
  expect(entries.change(text, { command: "npx", args: ["-y", "forge-mcp@2.0.0", "mcp"] })).toBe(
    '{"mcpServers": {"forge": {\n  // why\n  "command": "npx", "args": ["-y", "forge-mcp@2.0.0", "mcp"], "env": {"A": "1"} /* end */ }}}',
  );
});

test.each([
  ["broken syntax", '{\n  "a": 1,\n  "b": }\n', 3],
  ["a list instead of an object", "\n[]", 2],
  ["servers that are no object", '{\n"mcpServers": []}', 2],
  ["an entry that is no object", '{"mcpServers": {\n"forge": "x"}}', 2],
  ["servers twice", '{"mcpServers": {},\n"mcpServers": {}}', 2],
  ["the entry twice", '{"mcpServers": {"forge": {},\n"forge": {}}}', 2],
  ["an unresolved merge", '{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> x\n}', 2],
  ["a bottomless document", "[".repeat(200_000), 1],
])("refuses %s, naming the line", (_what, text, line) => {
  expect(() => entries.read(text)).toThrow(`mcp.json, line ${line}:`);
});

test("a document that is nested too deeply is refused, also one that can be parsed", () => {
  const deep = (levels: number) => `${'{"servers":'.repeat(levels)}1${"}".repeat(levels)}`;
  for (const text of [deep(3_000), '{"servers":'.repeat(100_000), `// "\n${'{"servers":'.repeat(100_000)}`])
    expect(() => parseJson("mcp.json", text)).toThrow("nested too deeply");
  expect(parseJson("mcp.json", deep(100)).root?.type).toBe("object");
});
