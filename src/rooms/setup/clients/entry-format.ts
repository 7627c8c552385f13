import { isDeepStrictEqual } from "node:util";
import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import { cannotChangeEntry } from "../errors.ts";
import { parseJson, valueIn } from "../formats/json-document.ts";
import {
  addJsonEntry,
  changeJsonEntry,
  type EntryPath,
  readJsonEntry,
  removeJsonEntry,
} from "../formats/json-merge.ts";
import type { Json } from "../formats/json-style.ts";
import { type Edited, splitMark } from "../formats/splice.ts";
import { addTomlEntry, changeTomlEntry, parseToml, readTomlEntry, removeTomlEntry } from "../formats/toml-merge.ts";

/** What can be done to a server's entry in a configuration file, in one file format. */
type EntryFormat = {
  value(file: string, text: string): unknown;
  read(file: string, text: string, path: EntryPath): unknown;
  add(file: string, text: string, path: EntryPath, entry: Record<string, Json>): Edited;
  change(file: string, text: string, path: EntryPath, values: Record<string, Json>): string;
  remove(file: string, text: string, path: EntryPath, withContainer: boolean): string;
};

const json: EntryFormat = {
  value(file, text) {
    const { root } = parseJson(file, text);
    return root ? valueIn(root) : {};
  },
  read: (file, text, path) => readJsonEntry(parseJson(file, text), path),
  add: (file, text, path, entry) => addJsonEntry(parseJson(file, text), path, entry),
  change: (file, text, path, values) => changeJsonEntry(parseJson(file, text), path, values),
  remove: (file, text, path, withContainer) => removeJsonEntry(parseJson(file, text), path, withContainer),
};

/** A table has no container that would stay behind. */
const toml: EntryFormat = {
  value: (file, text) => parseToml(file, text).value,
  read: (file, text, path) => readTomlEntry(parseToml(file, text), path),
  add: (file, text, path, entry) => addTomlEntry(parseToml(file, text), path, entry),
  change: (file, text, path, values) => changeTomlEntry(parseToml(file, text), path, values),
  remove: (file, text, path) => removeTomlEntry(parseToml(file, text), path),
};

const formats = { json, toml };

export type FormatName = keyof typeof formats;

/** A server's entry in one file. Every change is parsed again before anybody sees it: it must be that change and no other. */
export class EntryFile {
  readonly #format: EntryFormat;
  readonly #file: string;
  readonly #path: EntryPath;

  constructor(format: FormatName, file: string, path: EntryPath) {
    this.#format = formats[format];
    this.#file = file;
    this.#path = path;
  }

  read(text: string): unknown {
    return this.#format.read(this.#file, splitMark(text).body, this.#path);
  }

  /** Whether the file has a place for servers already, so that removing ours must leave it. */
  hasContainer(text: string): boolean {
    const value = this.#format.value(this.#file, splitMark(text).body);
    return isRecord(value) && Object.hasOwn(value, this.#path.key);
  }

  add(text: string, entry: Record<string, Json>): Edited {
    const { mark, body } = splitMark(text);
    const edited = this.#format.add(this.#file, body, this.#path, entry);
    this.#verify(body, edited.text, entry);
    return {
      text: mark + edited.text,
      splices: edited.splices.map(({ at, text }) => ({ at: at + mark.length, text })),
    };
  }

  change(text: string, values: Record<string, Json>): string {
    const { mark, body } = splitMark(text);
    const changed = this.#format.change(this.#file, body, this.#path, values);
    const before = this.#format.read(this.#file, body, this.#path);
    this.#verify(body, changed, { ...(isRecord(before) ? before : {}), ...values });
    return mark + changed;
  }

  remove(text: string, withContainer: boolean): string {
    const { mark, body } = splitMark(text);
    const removed = this.#format.remove(this.#file, body, this.#path, withContainer);
    this.#verify(body, removed, undefined);
    return mark + removed;
  }

  #verify(before: string, after: string, entry: Record<string, unknown> | undefined): void {
    const [was, is] = [this.#split(before), this.#split(after)];
    if (isDeepStrictEqual(was.rest, is.rest) && isDeepStrictEqual(is.entry, entry && plain(entry))) return;
    throw cannotChangeEntry(this.#file);
  }

  /** The entry, and everything else; an empty container counts as none. */
  #split(text: string): { entry: unknown; rest: unknown } {
    const { key, name } = this.#path;
    const value = this.#valueAfter(text);
    const { [key]: container, ...rest } = isRecord(value) ? value : {};
    const { [name]: entry, ...others } = isRecord(container) ? container : {};
    const kept = Object.keys(others).length > 0 ? { [key]: others } : {};
    return { entry: entry && plain(entry), rest: { ...rest, ...kept } };
  }

  #valueAfter(text: string): unknown {
    try {
      return this.#format.value(this.#file, text);
    } catch (error) {
      if (error instanceof ForgeError) return undefined;
      throw error;
    }
  }
}

/** Parsers make objects with and without a prototype; only what is in them counts. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
