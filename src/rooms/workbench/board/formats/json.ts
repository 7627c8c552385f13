import { excerpt, spotOf } from "../../../../kernel/quoting.ts";
import { invalidBlocksFile } from "../model/errors.ts";

/**
 * JSON that can be written again unchanged: the order of names (JavaScript reorders those that look like numbers) and the
 * spelling of numbers are kept. A duplicate name is an error, and no name can collide with a property of JavaScript objects.
 */
export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject;
export type JsonObject = Map<string, Json>;

class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const limits = {
  depth: 64,
  /** Objects and lists in a file: what is small as text can be large in memory. */
  parts: 2_000_000,
};

const space = new Set([" ", "\t", "\n", "\r"]);
const literals: [word: string, value: boolean | null][] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const plainText = /[^"\\]*/y;

/** The value, and the line in which each object and list begins. */
export type ParsedJson = { value: Json; lineOf(part: Json): number | undefined };

/** Throws with the place. */
export function parseJson(text: string, source: string): ParsedJson {
  const reader = new JsonReader(text, source);
  const value = reader.whole();
  return {
    value,
    lineOf(part) {
      const offset = typeof part === "object" && part !== null ? reader.offsets.get(part) : undefined;
      return offset === undefined ? undefined : spotOf(text, offset).line;
    },
  };
}

class JsonReader {
  readonly offsets = new WeakMap<object, number>();
  readonly #text: string;
  readonly #source: string;
  #at = 0;
  #parts = 0;

  constructor(text: string, source: string) {
    this.#text = text;
    this.#source = source;
  }

  whole(): Json {
    const value = this.#value(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#refuse("there is text after the JSON", "the end of the file");
    return value;
  }

  #value(depth: number): Json {
    this.#skipSpace();
    const character = this.#text[this.#at];
    if (character === '"') return this.#string();
    if (character === "{" || character === "[") return this.#container(character, depth + 1);
    const literal = literals.find(([word]) => this.#text.startsWith(word, this.#at));
    if (literal) {
      this.#at += literal[0].length;
      return literal[1];
    }
    number.lastIndex = this.#at;
    const [digits] = number.exec(this.#text) ?? [];
    if (digits === undefined) return this.#unexpected("a value");
    this.#at += digits.length;
    return new JsonNumber(digits);
  }

  #container(bracket: "{" | "[", depth: number): Json {
    if (depth > limits.depth) this.#refuse(`it nests deeper than ${limits.depth} levels`, `at most ${limits.depth}`);
    this.#parts++;
    if (this.#parts > limits.parts) this.#refuse("it contains too many objects and lists", `at most ${limits.parts}`);
    const begins = this.#at;
    this.#at++;
    const made = bracket === "{" ? this.#object(depth) : this.#list(depth);
    this.offsets.set(made, begins);
    return made;
  }

  #object(depth: number): JsonObject {
    const object: JsonObject = new Map();
    if (this.#takes("}")) return object;
    do {
      this.#skipSpace();
      if (this.#text[this.#at] !== '"') this.#unexpected("a name in double quotes");
      const begins = this.#at;
      const name = this.#string();
      if (object.has(name)) {
        this.#at = begins;
        this.#refuse(`the name "${excerpt(name)}" is used twice in one object`, "unique names");
      }
      if (!this.#takes(":")) this.#unexpected("a colon");
      object.set(name, this.#value(depth));
    } while (this.#takes(","));
    if (!this.#takes("}")) this.#unexpected("a comma or }");
    return object;
  }

  #list(depth: number): Json[] {
    const list: Json[] = [];
    if (this.#takes("]")) return list;
    do list.push(this.#value(depth));
    while (this.#takes(","));
    if (!this.#takes("]")) this.#unexpected("a comma or ]");
    return list;
  }

  #string(): string {
    const begins = this.#at;
    for (this.#at++; ; this.#at++) {
      plainText.lastIndex = this.#at;
      this.#at += plainText.exec(this.#text)?.[0].length ?? 0;
      const character = this.#text[this.#at];
      if (character === undefined) {
        this.#at = begins;
        this.#refuse("a text is not closed", "a double quote at its end");
      }
      if (character === '"') break;
      // A backslash escapes the next character.
      this.#at++;
    }
    this.#at++;
    return this.#decoded(begins);
  }

  #decoded(begins: number): string {
    try {
      return JSON.parse(this.#text.slice(begins, this.#at)) as string;
    } catch {
      this.#at = begins;
      return this.#refuse("this text has a control character or an invalid escape", "escapes like \\n or \\u00e9");
    }
  }

  #takes(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    while (space.has(this.#text[this.#at] ?? "")) this.#at++;
  }

  #unexpected(expected: string): never {
    const here = this.#text.slice(this.#at, this.#at + 20).trim();
    return this.#refuse(here === "" ? "the file ends too early" : `"${excerpt(here)}" is not expected here`, expected);
  }

  #refuse(what: string, expected: string): never {
    throw invalidBlocksFile({ source: this.#source, ...spotOf(this.#text, this.#at), what, expected });
  }
}

/** With `indent` on several lines, without it on one. */
export function printJson(value: Json, indent = "", before = "\n"): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (value instanceof JsonNumber) return value.text;
  const inner = indent === "" ? "" : before + indent;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => printJson(item, indent, inner))
    : [...value].map(([name, item]) => {
        const colon = indent === "" ? ":" : ": ";
        return `${JSON.stringify(name)}${colon}${printJson(item, indent, inner)}`;
      });
  const [open, close] = isList ? "[]" : "{}";
  if (items.length === 0) return `${open}${close}`;
  return `${open}${inner}${items.join(`,${inner}`)}${indent === "" ? "" : before}${close}`;
}

/** For text that this program wrote itself. */
export function parseOwn(text: string): JsonObject {
  const { value } = parseJson(text, "the store");
  return value instanceof Map ? value : new Map();
}
