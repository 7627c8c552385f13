import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { catalog } from "../../src/catalog.ts";
import { surfaceOf } from "../../src/hosts/mcp/surface.ts";
import { effects } from "../../src/kernel/effect.ts";
import { errorCodes } from "../../src/kernel/errors.ts";
import { toolsets } from "../../src/toolsets.ts";
import { version } from "../../src/version.ts";

type Schema = { [key: string]: unknown };

/** Paths of strings and arrays without a maximum, and of objects that take any key. */
function unbounded(schema: Schema, path: string): string[] {
  const found: string[] = [];
  if (schema["type"] === "string" && !schema["enum"] && !("const" in schema) && schema["maxLength"] === undefined)
    found.push(path);
  if (schema["type"] === "array" && schema["maxItems"] === undefined) found.push(path);
  if (schema["type"] === "object" && schema["additionalProperties"] !== false) found.push(path);
  const children: [string, unknown][] = [
    ...Object.entries((schema["properties"] ?? {}) as Schema),
    ["[]", schema["items"]],
    ...["anyOf", "oneOf", "allOf"].flatMap((word) =>
      ((schema[word] ?? []) as unknown[]).map((child): [string, unknown] => [word, child]),
    ),
  ];
  return [
    ...found,
    ...children.flatMap(([name, child]) =>
      child && typeof child === "object" ? unbounded(child as Schema, `${path}.${name}`) : [],
    ),
  ];
}

const tools = toolsets.flatMap((toolset) => toolset.tools.map((tool) => ({ toolset: toolset.name, tool })));
const entries = catalog.flatMap((entry) => entry.tools);

test("the walk itself finds what is unbounded", () => {
  const schema = {
    type: "object",
    additionalProperties: false,
    properties: {
      a: { type: "string" },
      b: { type: "array", items: { type: "string", maxLength: 3 } },
      c: { type: "object" },
    },
  };
  expect(unbounded(schema, "x")).toEqual(["x.a", "x.b", "x.c"]);
});

describe.each(entries.map((entry) => [entry.name, entry] as const))("%s", (name, entry) => {
  test("C05 every string and array has a maximum, and unknown arguments are refused", () => {
    expect(unbounded(entry.inputSchema, name)).toEqual([]);
  });
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

test("every tool has a file and a test of its own", () => {
  const rooms = readdirSync("src/rooms").filter((room) => existsSync(join("src/rooms", room, "tools")));
  const files = rooms.flatMap((room) =>
    readdirSync(join("src/rooms", room, "tools")).map((file) => join("src/rooms", room, "tools", file)),
  );
  const sources = files.filter((file) => !file.endsWith(".test.ts") && !file.endsWith("index.ts"));
  expect(sources.map((file) => file.split("/").at(-1)?.replace(".ts", "").replaceAll("-", "_")).sort()).toEqual(
    tools.map(({ tool }) => tool.name).sort(),
  );
  for (const file of sources) expect(files).toContain(file.replace(".ts", ".test.ts"));
});

test("instructions stay under 2 KB with every toolset served", () => {
  const names = catalog.map(({ name }) => name);
  const { instructions } = surfaceOf(catalog, { serverName: "forge", version, toolsets: names, readOnly: true });
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
