import fc from "fast-check";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { EntryFile } from "../clients/entry-format.ts";
import { takeOut } from "./splice.ts";
import { scanToml } from "./toml-scan.ts";

const entries = new EntryFile("toml", "config.toml", { key: "mcp_servers", name: "forge" });
const entry = { command: "forge", args: ["mcp"] };

const pieces = [
  'model = "o4"\n',
  "# a note\n",
  "\n",
  'text = """\n[mcp_servers.forge]\ncommand = "no"\n"""\n',
  "raw = '''\n# \"\n'''\n",
  'list = [\n  "a", # one\n  "]",\n]\n',
  'inline = { a = "}", b = [1, 2] } # end\n',
  'quoted."a.b" = 1\n',
  "when = 1979-05-27T07:32:00Z\n",
  "big = 9007199254740993\n",
];
const tables = [
  '[mcp_servers.docs]\ncommand = "npx"\n',
  '[mcp_servers."other one".env]\nKEY = "1"\n',
  '[projects."/home/ada/shop"]\ntrust_level = "trusted"\n',
  "[[rules]]\nname = 'x'\n\n",
  "  [ spaced . table ]\n\tkey=1",
];

const documents = fc
  .record({
    head: fc.uniqueArray(fc.constantFrom(...pieces), { maxLength: 5 }),
    tail: fc.uniqueArray(fc.constantFrom(...tables), { maxLength: 4 }),
    isCrLf: fc.boolean(),
    mark: fc.constantFrom("", "\uFEFF"),
    hasEnd: fc.boolean(),
  })
  .map(({ head, tail, isCrLf, mark, hasEnd }) => {
    const text = [head.join(""), ...tail.map((table) => `${table.trimEnd()}\n`)].join("");
    const ended = hasEnd ? text : text.replace(/\n+$/, "");
    return mark + (isCrLf ? ended.replaceAll("\n", "\r\n") : ended);
  });

test("an entry is added to any document, and nothing else changes", () => {
  fc.assert(
    fc.property(documents, (text) => {
      const { text: after, splices } = entries.add(text, entry);
      expect(takeOut(after, splices)).toBe(text);
      expect(entries.read(after)).toEqual(entry);
    }),
    { numRuns: 300 },
  );
});

test("taking it out by structure gives the bytes of before", () => {
  fc.assert(
    fc.property(documents, (text) => {
      expect(entries.remove(entries.add(text, entry).text, false)).toBe(text);
    }),
    { numRuns: 300 },
  );
});

test("taking it out of the middle leaves its neighbours and their comments", () => {
  const text =
    '[a]\nx = 1\n\n[mcp_servers.forge]\n# ours\ncommand = "forge"\nargs = [\n "mcp",\n]\n\n[mcp_servers.forge.env]\nA = "1"\n\n# about b\n[b]\ny = 2\n';
  expect(entries.remove(text, false)).toBe("[a]\nx = 1\n\n# about b\n[b]\ny = 2\n");
});

test("a change replaces its values only", () => {
  const text = "[mcp_servers.forge] # mine\ncommand = 'forge' # c\nargs = [ \"mcp\" ]\nenabled = true\n";
  expect(entries.change(text, { command: "npx", args: ["-y", "forge-mcp@2.0.0", "mcp"] })).toBe(
    '[mcp_servers.forge] # mine\ncommand = "npx" # c\nargs = ["-y", "forge-mcp@2.0.0", "mcp"]\nenabled = true\n',
  );
});

test("finds what a document says, whatever its strings look like", () => {
  const text = pieces.join("") + tables.join("\n");
  expect(() => parse(text, { integersAsBigInt: "asNeeded" })).not.toThrow();
  const keys = scanToml(text).map(({ kind, key }) => `${kind} ${key.join("/")}`);
  expect(keys).toContain("pair quoted/a.b");
  expect(keys).toContain("table mcp_servers/other one/env");
  expect(keys).toContain("array rules");
  expect(keys).not.toContain("table mcp_servers/forge");
});

test.each([
  ["broken syntax", "a = 1\nb = \n", 2],
  ["servers that are no table", "a = 1\nmcp_servers = 3\n", 2],
  ["an unresolved merge", "a = 1\n<<<<<<< HEAD\nb = 1\n", 2],
])("refuses %s, naming the line", (_what, text, line) => {
  expect(() => entries.read(text)).toThrow(`config.toml, line ${line}:`);
});

test("a table that cannot be added to is refused, not broken", () => {
  expect(() => entries.add("mcp_servers = { docs = { command = 'x' } }\n", entry)).toThrow(
    "without changing other parts",
  );
});

test("an entry in another form is read, and refused where it would have to be changed", () => {
  const text = "[mcp_servers]\nforge = { command = 'forge', args = ['mcp'] }\n";
  expect(entries.read(text)).toEqual(entry);
  expect(() => entries.remove(text, false)).toThrow("config.toml, line 2:");
});
