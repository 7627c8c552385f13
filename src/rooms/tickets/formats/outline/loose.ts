import { isRecord } from "../../../../kernel/json.ts";

/** The value if it is an object, else an empty object. */
export function objectOr(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Text that is not blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Each element as text, as JSON if it is not text; undefined for anything but a list with elements. */
export function linesOf(value: unknown): string[] | undefined {
  return listOf(value)?.map(lineOf);
}

export function lineOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** Without properties that are undefined; undefined if nothing is left. */
export function compact<T extends object>(value: T): Compact<T> | undefined {
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return entries.length > 0 ? (Object.fromEntries(entries) as Compact<T>) : undefined;
}

/** Properties are either there or not; none is undefined. */
type Compact<T> = { [name in keyof T]?: Exclude<T[name], undefined> };

export function isCount(text: string): boolean {
  return text.trim() !== "" && String(Number(text)) === text && Number.isFinite(Number(text));
}
