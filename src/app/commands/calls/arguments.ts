import { fields } from "../../../commons/cli/json-fields.ts";
import { isRecord } from "../../../kernel/json.ts";
import { isFlat } from "./describe.ts";
import {
  badInput,
  type Called,
  givenTwice,
  missingArguments,
  needsJson,
  notAnAssignment,
  notJson,
  unknownArgument,
  wrongValue,
} from "./errors.ts";
import type { Property, Shape } from "./shape.ts";

type Values = Record<string, unknown>;
type Found = { path: string[]; shape: Shape };

/**
 * A tool's input from the command line. `key=value` is read as the tool's schema says (a list: `key=a,b`, or
 * the key several times; inside an object: `key.inner=value`), and `key:=json` is JSON. What the words say
 * wins over what the input file says.
 */
export function readArguments(called: Called, properties: Property[], words: string[], input: Values = {}): Values {
  const given: Values = {};
  for (const word of words) assign(given, called, properties, word);
  const all = mergeValues(input, given);
  const missing = properties.filter(({ name, required }) => required && !Object.hasOwn(all, name));
  if (missing.length > 0) throw missingArguments(called, missing, properties);
  return all;
}

/** The arguments as one JSON object, from a file or from standard input. */
export function readInputText(called: Called, source: string, text: string): Values {
  const value = parseJson(text.replace(/^\uFEFF/, ""), () => badInput(called, source, "it is not valid JSON"));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badInput(called, source, "it is not a JSON object");
  }
  return fields(value);
}

function assign(given: Values, called: Called, properties: Property[], word: string): void {
  const at = word.indexOf("=");
  const isJson = at > 0 && word[at - 1] === ":";
  const key = word.slice(0, isJson ? at - 1 : Math.max(at, 0));
  if (key === "") throw notAnAssignment(called, word, properties);
  const text = word.slice(at + 1);
  const { path, shape } = find(called, key, properties);
  const value = isJson ? parseJson(text, () => notJson(called, key)) : readText(called, key, text, shape);
  put(given, path, value, shape.kind === "list" && !isJson, () => givenTwice(called, key));
}

/** The way to a value: `labels.size` is a property of that name, or `size` within `labels`. */
function find(called: Called, key: string, properties: Property[]): Found {
  let shape: Shape = { kind: "object", properties, others: undefined };
  const path: string[] = [];
  let rest = key;
  for (;;) {
    if (shape.kind === "json" && path.length > 0) return { path: [...path, rest], shape };
    if (shape.kind !== "object")
      throw unknownArgument(
        called,
        key,
        properties.map(({ name }) => name),
      );
    const exact: Property | undefined = shape.properties.find(({ name }) => name === rest);
    if (exact) return { path: [...path, rest], shape: exact.shape };
    const outer: Property | undefined = shape.properties.find(({ name }) => rest.startsWith(`${name}.`));
    const dot = rest.indexOf(".");
    if (outer) {
      path.push(outer.name);
      rest = rest.slice(outer.name.length + 1);
      shape = outer.shape;
    } else if (shape.others && (dot < 0 || shape.others.kind !== "object")) {
      return { path: [...path, rest], shape: shape.others };
    } else if (shape.others) {
      path.push(rest.slice(0, dot));
      rest = rest.slice(dot + 1);
      shape = shape.others;
    } else {
      const prefix = path.length > 0 ? `${path.join(".")}.` : "";
      throw unknownArgument(
        called,
        key,
        shape.properties.map(({ name }) => prefix + name),
      );
    }
  }
}

function readText(called: Called, key: string, text: string, shape: Shape): unknown {
  switch (shape.kind) {
    case "text":
      if (shape.choices.length > 0 && !shape.choices.includes(text)) throw wrongValue(called, key, text, shape);
      return text;
    case "boolean":
      if (text !== "true" && text !== "false") throw wrongValue(called, key, text, shape);
      return text === "true";
    case "number": {
      const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
      const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = shape;
      const fits = number >= min && number <= max && (!shape.integer || Number.isSafeInteger(number));
      if (!fits) throw wrongValue(called, key, text, shape);
      return number;
    }
    case "list":
      if (!isFlat(shape)) throw needsJson(called, key, shape);
      return text === "" ? [] : text.split(",").map((item) => readText(called, key, item, shape.items));
    case "object":
      throw needsJson(called, key, shape);
    case "json":
      return scalarOrText(text);
  }
}

/** Where the schema leaves the type open, what looks like a number or a truth value is one; `key:="5"` says otherwise. */
function scalarOrText(text: string): unknown {
  return /^(?:true|false|null|-?\d{1,15}(?:\.\d{1,15})?)$/.test(text) ? JSON.parse(text) : text;
}

function parseJson(text: string, error: () => Error): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw error();
  }
}

/** Puts a value at its place. Own properties only: a key such as `__proto__` is a key like any other. */
function put(given: Values, [name = "", ...inner]: string[], value: unknown, adds: boolean, twice: () => Error): void {
  const earlier = Object.hasOwn(given, name) ? given[name] : undefined;
  if (inner.length > 0) {
    if (earlier !== undefined && !isRecord(earlier)) throw twice();
    const within: Values = isRecord(earlier) ? earlier : {};
    put(within, inner, value, adds, twice);
    define(given, name, within);
  } else if (adds && Array.isArray(earlier) && Array.isArray(value)) define(given, name, [...earlier, ...value]);
  else if (earlier !== undefined) throw twice();
  else define(given, name, value);
}

function mergeValues(under: Values, over: Values): Values {
  const result: Values = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const below = Object.hasOwn(under, name) ? under[name] : undefined;
    define(result, name, isRecord(below) && isRecord(value) ? mergeValues(below, value) : value);
  }
  return result;
}

function define(target: Values, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
