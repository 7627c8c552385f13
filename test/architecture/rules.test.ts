import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { catalog } from "../../src/app/catalog.ts";
import { commandFacts } from "../../src/app/commands/command-facts.ts";
import { estimateTokens, makeLists } from "../../src/hosts/mcp/lists/lists.ts";
import { rooms } from "../../src/rooms.ts";
import { audienceBreaches } from "./audience.ts";
import { commandBreaches, shareDerived } from "./commands.ts";
import { folderBreaches } from "./folders.ts";
import { interfaceBreaches } from "./interfaces.ts";
import { nameBreaches } from "./names.ts";
import type { Source } from "./plan.ts";
import { tokenBreaches } from "./tokens.ts";
import { pageBreaches, wordBreaches } from "./words.ts";

const sources: Source[] = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts"))
  .map((file) => ({ path: file.split(sep).join("/"), text: readFileSync(join("src", file), "utf8") }));
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).map((file) => join("docs", file)),
]
  .filter((file) => file.endsWith(".md"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));
const harness = readdirSync("test/harness", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ path: file.split(sep).join("/") }));
const tools = rooms.flatMap(({ tools: own = {} }) => Object.keys(own));
const commands = commandFacts
  .all()
  .filter(({ hidden }) => !hidden)
  .map(({ name }) => name);

describe("the source keeps the rules", () => {
  test("folders", () => expect(folderBreaches(sources)).toEqual([]));
  test("folders of the test harness", () => expect(folderBreaches(harness)).toEqual([]));
  test("names", () => expect(nameBreaches(sources)).toEqual([]));
  test("interfaces", () => expect(interfaceBreaches(sources)).toEqual([]));
  test("words in texts", () => expect(wordBreaches(sources)).toEqual([]));
  test("words in pages", () => expect(pageBreaches(pages)).toEqual([]));
  test("errors and results name no tool and no command", () =>
    expect(audienceBreaches(sources, { tools, commands })).toEqual([]));
  test("options come from tools", () => expect(commandBreaches(commandFacts.all())).toEqual([]));
  test("at least four of five operations on the command line are derived", () =>
    expect(shareDerived(commandFacts.all())).toBeGreaterThanOrEqual(0.8));
  test("tokens", () => expect(tokenBreaches(catalog)).toEqual([]));
});

describe("a planted breach is found", () => {
  const one = (path: string, text = "") => [{ path, text }];
  const sixteen = Array.from({ length: 16 }, (_, index) => ({ path: `rooms/x/file-${index}.ts` }));

  test.each([
    ["a folder of 16", () => folderBreaches(sixteen)],
    ["a folder five levels down", () => folderBreaches(one("a/b/c/d/e/x.ts"))],
    ["a class named after an activity", () => nameBreaches(one("x.ts", "export class Changing {}"))],
    ["a type named after an activity", () => nameBreaches(one("x.ts", "export type TicketLooking = { a: 1 };"))],
    ["an interface named after an activity", () => nameBreaches(one("x.ts", "interface Keeping { a: 1 }"))],
    ["a function named after a state", () => nameBreaches(one("x.ts", "function shown() {}"))],
    ["a function named by a participle", () => nameBreaches(one("x.ts", "function wantedInLock() {}"))],
    ["a method named after a state", () => nameBreaches(one("x.ts", "class A { shown() {} }"))],
    ["a private method named after a state", () => nameBreaches(one("x.ts", "class A { async #keptFor() {} }"))],
    ["an arrow function named after a state", () => nameBreaches(one("x.ts", "const listed = () => [];"))],
    ["a bound nobody would search for", () => nameBreaches(one("x.ts", "const mostFiles = 3;"))],
    [
      "an interface without a second implementation",
      () => interfaceBreaches(one("x.ts", "interface A {} class B implements A {}")),
    ],
    ["an odd word in a text", () => wordBreaches(one("x.ts", 'const text = "7718 unless told";'))],
    ["an odd word in a template", () => wordBreaches(one("x.ts", `const text = \`$${"{id}"} is nobody's now\`;`))],
    ["an inner word in a text", () => wordBreaches(one("x.ts", 'const text = "the tickets room is closed";'))],
    ["an odd word in a page", () => pageBreaches(one("x.md", "Begin anew."))],
    [
      "an odd phrase over two lines of a page",
      () => pageBreaches(one("x.md", "A report without a test is no\nnumber.")),
    ],
    [
      "a command in an error",
      () =>
        audienceBreaches(one("rooms/x/errors.ts", 'fail("Run `forge list` first.");'), {
          tools: [],
          commands: ["list"],
        }),
    ],
    [
      "a tool in a result",
      () =>
        audienceBreaches(one("rooms/x/service/a.ts", 'const note = "Call list_tickets now";'), {
          tools: ["list_tickets"],
          commands: [],
        }),
    ],
  ])("%s", (_name, breaches) => {
    expect(breaches()).toHaveLength(1);
  });

  test("eleven options typed by hand", () => {
    const options = Object.fromEntries(
      Array.from({ length: 11 }, (_, index) => [`o${index}`, { type: "boolean" as const, help: "x" }]),
    );
    const facts = { name: "x", summary: "", examples: [], settings: [], group: "more" as const, options };
    expect(commandBreaches([facts])).toHaveLength(1);
    const derived = { ...facts, options: {}, tool: "x" };
    expect(shareDerived([facts, derived])).toBeLessThan(0.8);
    expect(shareDerived([derived])).toBe(1);
  });

  test("a list over its budget", () => {
    const [entry] = catalog;
    if (!entry) throw new Error("there is a toolset");
    const [tool] = entry.tools;
    if (!tool) throw new Error("there is a tool");
    const made = (count: number, words: number) =>
      Array.from({ length: count }, (_, index) => ({ ...tool, name: `t${index}`, description: "word ".repeat(words) }));
    const breaches = (tools: typeof entry.tools, core = tools) =>
      tokenBreaches([{ ...entry, tools, coreTools: core.map(({ name }) => name) }]).join("\n");
    expect(breaches(made(1, 400), [])).toContain("at most 350");
    expect(breaches(made(9, 120), [])).toMatch(/^a tool of .* on average at most 150$/);
    expect(breaches(made(26, 0))).toContain("the first list has 26 tools");
    expect(breaches(made(25, 120))).toContain("the first list costs");
    expect(
      estimateTokens(makeLists(catalog, { serverName: "f", version: "", toolsets: [], readOnly: false }).tools),
    ).toBe(0);
  });

  test.each([
    [
      "a plain noun that ends in -ing",
      () => nameBreaches(one("x.ts", "export type Setting = { a: 1 }; class TextRanking {}")),
    ],
    ["a function named by a verb", () => nameBreaches(one("x.ts", "function embed() {} function missingFile() {}"))],
    [
      "a value named after a state",
      () => nameBreaches(one("x.ts", "const shown = 1; class A { get kept() { return 1; } }")),
    ],
    [
      "a description names a tool",
      () =>
        audienceBreaches(one("rooms/x/tools/a.ts", 'define({ description: "Then call list_tickets." });'), {
          tools: ["list_tickets"],
          commands: [],
        }),
    ],
    [
      "an action is data",
      () =>
        audienceBreaches(one("rooms/x/errors.ts", 'fail({ next: [{ tool: "list_tickets" }] });'), {
          tools: ["list_tickets"],
          commands: [],
        }),
    ],
    ["a whole number", () => wordBreaches(one("x.ts", 'const text = "a whole number";'))],
    ["room on a disk", () => wordBreaches(one("x.ts", 'const text = "the disk has room for it";'))],
    [
      "a text without names",
      () =>
        audienceBreaches(one("rooms/x/errors.ts", 'fail("Nothing was found.");'), { tools: [], commands: ["list"] }),
    ],
  ])("no breach: %s", (_name, breaches) => {
    expect(breaches()).toEqual([]);
  });
});
