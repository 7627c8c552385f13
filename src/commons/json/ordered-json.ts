import { type JSONVisitor, visit } from "jsonc-parser";
import { excerpt } from "../../kernel/text/excerpt.ts";
import { faultAt, type JsonFault, JsonFaultError, textAfter } from "./json-fault.ts";

/**
 * JSON whose text can be written again as it was: the order of names (JavaScript moves those that look like numbers) and the
 * spelling of numbers are kept, a name that appears twice in an object is a fault, and no name can pose as a part of a
 * JavaScript object.
 */
export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject;
export type JsonObject = Map<string, Json>;

export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonLimits = {
  /** Levels of objects and arrays. */
  depth: number;
  /** Levels around what `depth` is said of. */
  envelope?: number;
  /** Objects and arrays in all: what is small as text can be large in memory. */
  parts: number;
};

export type OrderedJson = {
  value: Json;
  /** Where an object or array begins in the text. */
  offsetOf(part: Json): number | undefined;
};

/** Reads a whole text, or tells where it stops being JSON within the limits. */
export function readJson(text: string, limits: JsonLimits): OrderedJson | { fault: JsonFault } {
  const builder = new JsonBuilder(text);
  const fault = faultOf(text, limits, builder);
  if (fault) return { fault };
  return {
    value: builder.value,
    offsetOf: (part) => (typeof part === "object" && part !== null ? builder.offsets.get(part) : undefined),
  };
}

/**
 * Where a text stops being JSON within the limits; undefined where it can be parsed. The messages of `JSON.parse` give no
 * place, and deep nesting has to be found before anything walks through it.
 */
export function findJsonFault(text: string, limits: JsonLimits): JsonFault | undefined {
  return faultOf(text, limits, undefined);
}

function faultOf(text: string, limits: JsonLimits, builder: JsonBuilder | undefined): JsonFault | undefined {
  const { depth, envelope = 0, parts } = limits;
  let levels = 0;
  let count = 0;
  /** The value was read; also at the end of a text whose brackets are not closed. */
  let isComplete = false;
  const enter = (offset: number) => {
    if (++levels > depth + envelope)
      throw new JsonFaultError(offset, `it is nested deeper than ${depth} levels`, `at most ${depth} levels`);
    if (++count > parts) throw new JsonFaultError(offset, "it has too many objects and arrays", `at most ${parts}`);
  };
  const leave = () => {
    isComplete = --levels === 0;
    builder?.end();
  };
  const visitor: JSONVisitor = {
    onError: (code, offset) => {
      throw isComplete && offset < text.length ? textAfter(offset) : faultAt(text, code, offset);
    },
    onObjectBegin: (offset) => {
      enter(offset);
      builder?.begin(new Map(), offset);
    },
    onArrayBegin: (offset) => {
      enter(offset);
      builder?.begin([], offset);
    },
    onObjectEnd: leave,
    onArrayEnd: leave,
    onLiteralValue: (value, offset, length) => {
      isComplete = levels === 0;
      builder?.literal(value, offset, length);
    },
    ...(builder && { onObjectProperty: (name, offset) => builder.property(name, offset) }),
  };
  try {
    visit(text, visitor, { disallowComments: true });
    return undefined;
  } catch (error) {
    if (error instanceof JsonFaultError) return error.fault;
    throw error;
  }
}

class JsonBuilder {
  value: Json = null;
  readonly offsets = new WeakMap<object, number>();
  readonly #text: string;
  /** What is not closed yet, each with the name it will have in what is around it. */
  readonly #open: { part: Json[] | JsonObject; name: string }[] = [];
  #name = "";

  constructor(text: string) {
    this.#text = text;
  }

  begin(part: Json[] | JsonObject, offset: number): void {
    this.offsets.set(part, offset);
    this.#open.push({ part, name: this.#name });
  }

  property(name: string, offset: number): void {
    const object = this.#open.at(-1)?.part;
    if (object instanceof Map && object.has(name))
      throw new JsonFaultError(offset, `the name "${excerpt(name)}" appears twice in one object`, "each name once");
    this.#name = name;
  }

  literal(value: Json | number, offset: number, length: number): void {
    this.#add(
      typeof value === "number" ? new JsonNumber(this.#text.slice(offset, offset + length)) : value,
      this.#name,
    );
  }

  end(): void {
    const closed = this.#open.pop();
    if (closed) this.#add(closed.part, closed.name);
  }

  #add(value: Json, name: string): void {
    const inside = this.#open.at(-1)?.part;
    if (inside instanceof Map) inside.set(name, value);
    else if (inside) inside.push(value);
    else this.value = value;
  }
}

/** With `indent`, one property or item a line; in one line without. */
export function printJson(value: Json, indent = "", before = "\n"): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (value instanceof JsonNumber) return value.text;
  const inner = indent === "" ? "" : before + indent;
  const isArray = Array.isArray(value);
  const items = isArray
    ? value.map((item) => printJson(item, indent, inner))
    : [...value].map(([name, item]) => {
        const colon = indent === "" ? ":" : ": ";
        return `${JSON.stringify(name)}${colon}${printJson(item, indent, inner)}`;
      });
  const [open, close] = isArray ? "[]" : "{}";
  if (items.length === 0) return `${open}${close}`;
  return `${open}${inner}${items.join(`,${inner}`)}${indent === "" ? "" : before}${close}`;
}
