import { isRecord } from "../../../kernel/json.ts";
import { type Loose, parseStructured, textOf } from "./loose.ts";

/** Nothing useful is nested deeper, and a hostile value could be nested without end. */
const maxDepth = 4;

/** Any value as text, without adding line breaks; undefined if it is empty. */
export function inline(value: unknown, depth = 0): string | undefined {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === null || typeof value !== "object") return textOf(value);
  if (depth === maxDepth) return "…";
  const parts = Array.isArray(value)
    ? value.flatMap((item) => inline(item, depth + 1) ?? [])
    : pairs(value as Loose, depth + 1);
  return parts.length > 0 ? parts.join(Array.isArray(value) ? ", " : "; ") : undefined;
}

/** Any value as text: a list with a dash before each item, an object with one line per field. */
export function block(value: unknown): string | undefined {
  const found = parseStructured(value);
  if (Array.isArray(found)) return bullets(found.map((item) => inline(item)));
  return isRecord(found) ? joinParts("\n", pairs(found, 1)) : inline(found);
}

export function bullets(items: readonly (string | undefined)[]): string | undefined {
  return joinParts(
    "\n",
    items.map((item) => item && `- ${item}`),
  );
}

export function section(label: string, body: string | undefined): string | undefined {
  return body && `${label}:\n${body}`;
}

/** The parts that are not empty, separated by empty lines. */
export function paragraphs(...parts: (string | undefined)[]): string | undefined {
  return joinParts("\n\n", parts);
}

export function joinParts(between: string, parts: readonly (string | undefined)[]): string | undefined {
  return parts.filter((part) => part !== undefined && part !== "").join(between) || undefined;
}

function pairs(record: Loose, depth: number): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const text = inline(value, depth);
    return text === undefined ? [] : [`${name}: ${text}`];
  });
}
