import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { catalog } from "../../src/app/catalog.ts";
import { loadRoutes } from "../../src/app/server/server-routes.ts";
import { makeLists } from "../../src/hosts/mcp/lists/lists.ts";
import { isOn } from "../../src/kernel/definitions/tool.ts";
import { loadToolset } from "../../src/kernel/definitions/toolset.ts";
import { effects } from "../../src/kernel/effect.ts";
import { errorCodes } from "../../src/kernel/errors.ts";
import { rooms } from "../../src/rooms.ts";
import { version } from "../../src/version.ts";
import { unbounded } from "./unbounded.ts";

const toolsets = await Promise.all(rooms.map((room) => loadToolset(room)));
const tools = toolsets.flatMap((toolset) => toolset.tools.map((tool) => ({ toolset: toolset.name, tool })));
const routes = (await loadRoutes()).map(({ route }) => route);
const entries = catalog.flatMap((entry) => entry.tools);

describe("the walk itself finds what is unbounded", () => {
  const text = { type: "string" };
  const short = { type: "string", maxLength: 3 };
  test.each<[string, Record<string, unknown>, string[]]>([
    ["a string", text, ["x"]],
    ["a string or nothing", { type: ["string", "null"] }, ["x"]],
    ["an array", { type: "array", items: short }, ["x"]],
    ["what is in an array", { type: "array", maxItems: 3, items: text }, ["x.[]"]],
    ["an open object", { type: "object" }, ["x"]],
    ["what is in an object", { type: "object", additionalProperties: false, properties: { a: text } }, ["x.a"]],
    ["a record's names", { type: "object", propertyNames: text, additionalProperties: short }, ["x"]],
    ["a record's values", { type: "object", propertyNames: short, additionalProperties: text }, ["x.{}"]],
    ["an alternative", { anyOf: [short, text] }, ["x.anyOf"]],
    ["a place in a tuple", { type: "array", prefixItems: [short, text] }, ["x.prefixItems"]],
    ["the rest of a tuple", { type: "array", prefixItems: [short], items: short }, ["x"]],
    ["a definition", { $ref: "#/$defs/a", $defs: { a: text } }, ["x.a"]],
    ["anything", {}, ["x"]],
  ])("%s", (_name, schema, paths) => {
    expect(unbounded(schema, "x")).toEqual(paths);
  });

  test("and nothing else", () => {
    const choice = { type: "string", enum: ["a"] };
    const tuple = { type: "array", prefixItems: [short, choice] };
    const record = { type: "object", propertyNames: short, additionalProperties: tuple };
    expect(unbounded({ type: "object", additionalProperties: false, properties: { record } }, "x")).toEqual([]);
  });
});

/** Every schema that a stranger's input or our answer has to fit, by its name: unlisted tools and routes included. */
const inputs = [
  ...tools.map(({ tool }) => [`${tool.name}'s input`, tool.input] as const),
  ...toolsets.flatMap(({ prompts }) => prompts.map(({ name, args }) => [`${name}'s arguments`, args] as const)),
  ...routes.map(({ path, query }) => [`${path}'s query`, query] as const),
];
const outputs = [
  ...tools.filter(({ tool }) => isOn("mcp", tool)).map(({ tool }) => [`${tool.name}'s output`, tool.output] as const),
  ...routes
    .filter(({ path }) => path === "/api/activity")
    .map(({ path, output }) => [`${path}'s output`, output] as const),
];

/** Any JSON value by nature, with a limit on its characters that its own tests hold. */
const anyJson =
  /^(?:forge_store_artifact's input\.content|forge_get_(?:artifact|contract|boundaries|physics|directive|stack)'s output\.content|forge_get_governance's output\.sections\.\{\})$/;
const findUnbounded = (schema: z.ZodType, io: "input" | "output", name: string) =>
  unbounded(z.toJSONSchema(schema, { io }), name).filter((path) => !anyJson.test(path));

test.each(inputs)("C05 every string and array has a maximum, and what is unknown is refused: %s", (name, schema) => {
  expect(findUnbounded(schema, "input", name)).toEqual([]);
});

test.each(outputs)("C05 every string and array has a maximum: %s", (name, schema) => {
  expect(findUnbounded(schema, "output", name)).toEqual([]);
});

test("a tool that is not for assistants is in no list of theirs", () => {
  const hidden = tools.filter(({ tool }) => !isOn("mcp", tool)).map(({ tool }) => tool.name);
  const known = catalog.flatMap((entry) => [...entry.tools.map(({ name }) => name), ...entry.unlisted]);
  expect(hidden.filter((name) => known.includes(name))).toEqual([]);
});

test("the routes are those that are served", () => {
  expect(routes.map(({ path }) => path)).toContain("/api/activity");
});

describe.each(entries.map((entry) => [entry.name, entry] as const))("%s", (name, entry) => {
  test("says when to use it, in at most 2 KB", () => {
    expect(Buffer.byteLength(entry.description)).toBeLessThanOrEqual(2048);
    expect(entry.description).toMatch(/^[A-Z][^.]*\./);
    expect(entry.title.length).toBeGreaterThan(3);
  });
  test("has an object as output schema and all four hints", () => {
    expect(entry.outputSchema?.type).toBe("object");
    expect(Object.keys(entry.annotations).sort()).toEqual([
      "destructiveHint",
      "idempotentHint",
      "openWorldHint",
      "readOnlyHint",
    ]);
    for (const hint of Object.values(entry.annotations)) expect(hint).toBeTypeOf("boolean");
  });
  test("has a snapshot that is current", () => {
    const file = `test/contract/tools/${name}.json`;
    expect(existsSync(file), `${file} is missing: run npm run generate`).toBe(true);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(entry);
  });
});

test("names are valid, unique and sorted within their toolset", () => {
  const names = tools.map(({ tool }) => tool.name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{2,63}$/);
  for (const { tools } of catalog) expect(tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name).sort());
});

test("every tool has a file, and every tool for assistants a test of its own", () => {
  const folders = readdirSync("src/rooms")
    .map((room) => join("src/rooms", room, "tools"))
    .filter((folder) => existsSync(folder));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file)),
  );
  const sources = files.filter((file) => !file.endsWith(".test.ts") && !file.endsWith("index.ts"));
  expect(sources.map((file) => basename(file, ".ts").replaceAll("-", "_")).sort()).toEqual(
    tools.map(({ tool }) => tool.name).sort(),
  );
  // What only a command calls is tested as that command.
  const called = new Set(tools.filter(({ tool }) => isOn("mcp", tool)).map(({ tool }) => tool.name));
  for (const file of sources.filter((source) => called.has(basename(source, ".ts").replaceAll("-", "_"))))
    expect(files).toContain(file.replace(".ts", ".test.ts"));
});

test("instructions stay under 2 KB with every toolset served", () => {
  const names = catalog.map(({ name }) => name);
  const { instructions } = makeLists(catalog, { serverName: "forge", version, toolsets: names, readOnly: true });
  expect(Buffer.byteLength(instructions)).toBeLessThan(2048);
});

test("hints follow the effect: what reads changes nothing, what removes is marked", () => {
  for (const { hints, access } of Object.values(effects)) {
    expect(hints.readOnlyHint).toBe(access === "read");
    if (hints.readOnlyHint) expect(hints.destructiveHint).toBe(false);
  }
});

test("the error codes are the closed list, with those of the registry's specification", () => {
  const registry = [
    "PLUGIN_NOT_FOUND",
    "AGENT_NOT_FOUND",
    "TOOL_NOT_FOUND",
    "VALIDATION_ERROR",
    "PERMISSION_DENIED",
    "NETWORK_ERROR",
    "AUTH_REQUIRED",
    "AUTH_FAILED",
    "CONFIG_ERROR",
    "INTEGRITY_ERROR",
    "DEPENDENCY_ERROR",
    "CONFLICT_ERROR",
  ];
  expect(errorCodes).toEqual(expect.arrayContaining(registry));
  expect(errorCodes).toMatchInlineSnapshot(`
    [
      "AGENT_NOT_FOUND",
      "AUTH_FAILED",
      "AUTH_REQUIRED",
      "CANCELLED",
      "CONFIG_ERROR",
      "CONFLICT_ERROR",
      "CONTRACT_NOT_FOUND",
      "DEPENDENCY_ERROR",
      "INTEGRITY_ERROR",
      "INTERNAL_ERROR",
      "NETWORK_ERROR",
      "NOT_FOUND",
      "PERMISSION_DENIED",
      "PLUGIN_NOT_FOUND",
      "STORE_ERROR",
      "TIMEOUT",
      "TOOL_NOT_FOUND",
      "TRUST_REQUIRED",
      "VALIDATION_ERROR",
    ]
  `);
});

test("the version is package.json's", () => {
  expect(version).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
});
