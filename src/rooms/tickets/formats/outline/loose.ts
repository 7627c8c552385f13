import { isRecord } from "../../../../kernel/json.ts";

/** The value where it is an object, else an empty one: what is asked of it is then simply not there. */
export function objectOr(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Text that shows something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Each element as a line of text, as JSON where it is none; undefined for what is no list or an empty one. */
export function linesOf(value: unknown): string[] | undefined {
  return listOf(value)?.map(lineOf);
}

export function lineOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** The same without what is undefined; undefined where nothing is left. */
export function compact<T extends object>(value: T): Compact<T> | undefined {
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return entries.length > 0 ? (Object.fromEntries(entries) as Compact<T>) : undefined;
}

/** What is left has each property or has it not; none is undefined. */
type Compact<T> = { [name in keyof T]?: Exclude<T[name], undefined> };

export function isCount(text: string): boolean {
  return text.trim() !== "" && String(Number(text)) === text && Number.isFinite(Number(text));
}
