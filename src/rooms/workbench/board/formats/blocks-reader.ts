import { visible } from "../../../../kernel/text/visible.ts";
import { limits } from "../../model/limits.ts";
import { invalidBlocksFile } from "../model/errors.ts";
import { type Json, type JsonObject, type ParsedJson, parseJson } from "./json.ts";

/** Half a character, which no database can store. */
const loneSurrogate = /\p{Cs}/u;

/** Reads the values of a parsed file; throws, with the place, for what is not valid. `null` counts as missing. */
export class BlocksReader {
  readonly root: Json;
  readonly warnings: string[] = [];
  readonly #parsed: ParsedJson;
  readonly #source: string;

  constructor(text: string, source: string) {
    this.#parsed = parseJson(text, source);
    this.#source = source;
    this.root = this.#parsed.value;
  }

  object(value: Json, where: string, expected: string): JsonObject {
    return value instanceof Map ? value : this.refuse(value, where, `this is ${describeKind(value)}`, expected);
  }

  list(value: Json, where: string, expected: string): Json[] {
    return Array.isArray(value) ? value : this.refuse(value, where, `this is ${describeKind(value)}`, expected);
  }

  optionalList(object: JsonObject, name: string, where: string): Json[] {
    const value = object.get(name) ?? null;
    if (value === null) return [];
    const list = this.list(value, `${where}, ${name}`, "a list");
    if (list.length <= limits.list) return list;
    return this.refuse(value, `${where}, ${name}`, `it has ${list.length} entries`, `at most ${limits.list}`);
  }

  /** Empty if it is missing. */
  text(object: JsonObject, name: string, where: string, max: number): string {
    const value = object.get(name) ?? null;
    if (value === null) return "";
    if (typeof value !== "string")
      return this.refuse(object, `${where}, ${name}`, `this is ${describeKind(value)}`, "a text in double quotes");
    return this.requireLength(value, `${where}, ${name}`, max);
  }

  requireLength(text: string, where: string, max: number): string {
    if (text.length <= max) return text;
    return this.refuse(null, where, `it has ${text.length} characters`, `at most ${max}`);
  }

  texts(object: JsonObject, name: string, where: string, max: number): string[] {
    return this.optionalList(object, name, where).map((item) => {
      if (typeof item !== "string")
        return this.refuse(object, `${where}, ${name}`, `one entry is ${describeKind(item)}`, "a list of texts");
      return this.requireLength(item, `${where}, ${name}`, max);
    });
  }

  /** Texts for a column of the database. */
  columnTexts(object: JsonObject, name: string, where: string): string[] {
    const texts = this.texts(object, name, where, limits.name).filter((text) => text !== "");
    const odd = texts.some((text) => text.includes("\0") || loneSurrogate.test(text));
    return odd ? this.refuse(object, `${where}, ${name}`, "it contains an invalid character", "plain text") : texts;
  }

  name(object: JsonObject, field: string, where: string, max: number): string {
    const name = this.text(object, field, where, max);
    if (name.trim() === "") return this.refuse(object, where, `it has no ${field}`, `a ${field}`);
    if (name.includes("\0") || loneSurrogate.test(name))
      return this.refuse(object, `${where}, ${field}`, "it contains an invalid character", "plain text");
    return name;
  }

  /** Undefined if it is missing. */
  id(object: JsonObject, field: string, where: string): string | undefined {
    const id = this.text(object, field, where, limits.id);
    return id === "" ? undefined : this.requireId(id, `${where}, ${field}`);
  }

  requireId(id: string, where: string): string {
    if (id.trim() !== "" && id.length <= limits.id && visible(id) === id) return id;
    return this.refuse(null, where, "this is not a valid id", `1 to ${limits.id} visible characters`);
  }

  refuse(value: Json, where: string, what: string, expected: string): never {
    throw invalidBlocksFile({ source: this.#source, line: this.#parsed.lineOf(value), within: where, what, expected });
  }
}

function describeKind(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "string") return "a text";
  if (typeof value === "boolean") return "true or false";
  if (Array.isArray(value)) return "a list";
  return value instanceof Map ? "an object" : "a number";
}
