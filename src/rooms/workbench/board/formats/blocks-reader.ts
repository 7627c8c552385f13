import { visible } from "../../../../kernel/visible.ts";
import { limits } from "../../model/limits.ts";
import { type Json, type JsonObject, type ParsedJson, parseJson } from "./json.ts";
import { invalidBlocksFile } from "./refusal.ts";

/** Half a character, which no file or database keeps. */
const loneSurrogate = /\p{Cs}/u;

/** Takes a parsed file apart; what does not fit is refused with its place. `null` counts as left out. */
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

  /** A text that is there, empty where it is not. */
  text(object: JsonObject, name: string, where: string, most: number): string {
    const value = object.get(name) ?? null;
    if (value === null) return "";
    if (typeof value !== "string")
      return this.refuse(object, `${where}, ${name}`, `this is ${describeKind(value)}`, "a text in double quotes");
    return this.requireLength(value, `${where}, ${name}`, most);
  }

  requireLength(text: string, where: string, most: number): string {
    if (text.length <= most) return text;
    return this.refuse(null, where, `it has ${text.length} characters`, `at most ${most}`);
  }

  texts(object: JsonObject, name: string, where: string, most: number): string[] {
    return this.optionalList(object, name, where).map((item) => {
      if (typeof item !== "string")
        return this.refuse(object, `${where}, ${name}`, `one entry is ${describeKind(item)}`, "a list of texts");
      return this.requireLength(item, `${where}, ${name}`, most);
    });
  }

  /** Texts that stand in a column: what a database cannot keep is refused. */
  columnTexts(object: JsonObject, name: string, where: string): string[] {
    const texts = this.texts(object, name, where, limits.name).filter((text) => text !== "");
    const odd = texts.some((text) => text.includes("\0") || loneSurrogate.test(text));
    return odd ? this.refuse(object, `${where}, ${name}`, "it holds a character that is none", "plain text") : texts;
  }

  name(object: JsonObject, field: string, where: string, most: number): string {
    const name = this.text(object, field, where, most);
    if (name.trim() === "") return this.refuse(object, where, `it has no ${field}`, `a ${field}`);
    if (name.includes("\0") || loneSurrogate.test(name))
      return this.refuse(object, `${where}, ${field}`, "it holds a character that is none", "plain text");
    return name;
  }

  /** Undefined where it is left out. */
  id(object: JsonObject, field: string, where: string): string | undefined {
    const id = this.text(object, field, where, limits.id);
    return id === "" ? undefined : this.requireId(id, `${where}, ${field}`);
  }

  requireId(id: string, where: string): string {
    if (id.trim() !== "" && id.length <= limits.id && visible(id) === id) return id;
    return this.refuse(null, where, "this is no id", `1 to ${limits.id} characters that can be seen`);
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
