import { maxElements } from "../../../kernel/calls/input-limits.ts";
import { isRecord } from "../../../kernel/json.ts";

/** Lenient access to JSON of any shape: what is missing or of another type is undefined or empty. Nothing here throws. */
export type Loose = Record<string, unknown>;

/** The value; a string that contains an object or a list as JSON is parsed. A list with more than any input may have stays text. */
export function parseStructured(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  const closing = text.startsWith("{") ? "}" : "]";
  if (!(text.startsWith("{") || text.startsWith("[")) || !text.endsWith(closing)) return value;
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) && found.length > maxElements ? value : found;
  } catch {
    return value;
  }
}

export function recordOf(value: unknown): Loose | undefined {
  const found = parseStructured(value);
  return isRecord(found) ? found : undefined;
}

/** The first of these fields that is not empty. Inherited properties do not count. */
export function field(record: Loose, ...names: string[]): unknown {
  for (const name of names) if (Object.hasOwn(record, name) && !isEmpty(record[name])) return record[name];
  return undefined;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null;
}

/** Text, unchanged; a number becomes text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && !isEmpty(value) ? value : undefined;
}

/** A list; a single value counts as a list of one. */
export function listOf(value: unknown): unknown[] {
  const found = parseStructured(value);
  if (Array.isArray(found)) return found;
  return isEmpty(found) ? [] : [found];
}

/** The texts of a list; of an object in it, the first of these fields. */
export function linesOf(value: unknown, ...names: string[]): string[] {
  return listOf(value).flatMap((item) => (isRecord(item) ? textOf(field(item, ...names)) : textOf(item)) ?? []);
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The record without the fields that are undefined. */
export function present<T extends object>(record: T): Present<T> {
  const kept: Loose = {};
  // Without pairs, which take longer to make than to look at: a ticket is put together from dozens of fields.
  for (const name of Object.keys(record)) {
    const value = (record as Loose)[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept as Present<T>;
}
