import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonFault, type Json, JsonNumber, printJson, readJson } from "./ordered-json.ts";

const limits = { depth: 64, parts: 10_000 };

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function read(text: string): Json {
  const result = readJson(text, limits);
  if ("fault" in result) throw new Error(result.fault.what);
  return result.value;
}

/** As JavaScript has it. */
function plain(value: Json): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  const object: Record<string, unknown> = {};
  for (const [name, item] of value)
    Object.defineProperty(object, name, { value: plain(item), enumerable: true, configurable: true, writable: true });
  return object;
}

/** Texts that are nearly JSON: one place of a good one is changed. */
const damaged = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.constantFrom("", "{", "]", '"', "\\", ",", ":", "0", "x", "\n", "//", "\u0001", "e"),
  )
  .map(([text, at, put]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + 1);
  });

describe("reading JSON", () => {
  it("accepts what JSON.parse accepts and nothing else", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
        expect(findJsonFault(text, limits) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it("gives the values that JSON.parse gives", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(plain(read(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("can be written again as it was: the order of names and the spelling of numbers stay", () => {
    const text = '{"b":1.50,"2":1e3,"1":-0.0,"__proto__":{"x":[null,true,"é\\n"]},"":12345678901234567890}';
    expect(printJson(read(text))).toBe(text.replace("\\n", "\\n"));
    const spaced = '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": []\n}';
    expect(printJson(read(spaced), "  ")).toBe(spaced);
  });

  it("tells where each object and array begins", () => {
    const result = readJson('{\n "a": [{"b": 1}]}', limits);
    if ("fault" in result || !(result.value instanceof Map)) throw new Error("not read");
    const list = result.value.get("a");
    expect(result.offsetOf(result.value)).toBe(0);
    expect(result.offsetOf(list ?? null)).toBe(8);
    expect(result.offsetOf("a")).toBeUndefined();
  });
});

describe("a fault is told with its place", () => {
  it.each<[text: string, offset: number, what: string, expected: string]>([
    ["", 0, "the JSON ends too early", "a value"],
    [" \n", 2, "the JSON ends too early", "a value"],
    ['{"a": [1', 8, "the JSON ends too early", "] or another value"],
    ['{"a": 1', 7, "the JSON ends too early", "} or another property"],
    ['{"a"', 4, "the JSON ends too early", "a colon"],
    ['{"a": 1,}', 8, "this is not a property name", "a name in double quotes"],
    ["{a: 1}", 1, "this is not a JSON value", "a value"],
    ["[1,]", 3, "this is not a JSON value", "a value"],
    ["[nothing]", 1, "this is not a JSON value", "a value"],
    ['{"a" 1}', 5, "a property has no value", "a colon"],
    ["[1 2]", 3, "a comma is missing", "a comma or the closing bracket"],
    ["{} {}", 3, "there is more text after the JSON", "nothing more"],
    ["01", 1, "there is more text after the JSON", "nothing more"],
    ["[] x", 3, "there is more text after the JSON", "nothing more"],
    ['{} "', 3, "there is more text after the JSON", "nothing more"],
    ["// no\n1", 0, "JSON has no comments", "JSON without comments"],
    ["[1.]", 1, "this number is incomplete", "a number such as 1.5"],
    ['["abc', 1, "a string is not closed", "a closing double quote"],
    ['["abc\n"]', 5, "a string contains a control character", "an escape such as \\n"],
    ['["\\x"]', 2, "this is not an escape that JSON has", "an escape such as \\n or \\u00e9"],
    ['["\\u12"]', 2, "this is not an escape that JSON has", "an escape such as \\n or \\u00e9"],
  ])("%j", (text, offset, what, expected) => {
    expect(findJsonFault(text, limits)).toEqual({ offset, what, expected });
  });

  it("a name that appears twice in one object", () => {
    const text = '{"a": 1, "b": {"a": 2}, "a": 3}';
    const fault = { offset: 24, what: 'the name "a" appears twice in one object', expected: "each name once" };
    expect(readJson(text, limits)).toEqual({ fault });
    expect(findJsonFault(text, limits)).toBeUndefined();
  });

  it("too many levels, without walking them", () => {
    const deep = "[".repeat(1_000_000);
    expect(findJsonFault(deep, limits)).toMatchObject({ offset: 64, what: "it is nested deeper than 64 levels" });
    expect(findJsonFault("[[[]]]", { ...limits, depth: 2, envelope: 1 })).toBeUndefined();
    expect(findJsonFault("[[[[]]]]", { ...limits, depth: 2, envelope: 1 })).toMatchObject({
      offset: 3,
      expected: "at most 2 levels",
    });
  });

  it("too many parts", () => {
    expect(findJsonFault(`[${"{},".repeat(3)}1]`, { depth: 64, parts: 4 })).toBeUndefined();
    expect(findJsonFault(`[${"{},".repeat(3)}1]`, { depth: 64, parts: 3 })).toMatchObject({
      offset: 7,
      what: "it has too many objects and arrays",
    });
  });
});
