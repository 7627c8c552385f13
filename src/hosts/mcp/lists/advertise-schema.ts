import { isRecord } from "../../../kernel/json.ts";

type ObjectSchema = Record<string, unknown> & { type: "object" };

/** Limits from which on no model would meet them; they hold all the same. */
const limitsOfNote: Record<string, number> = { maxLength: 100, maxItems: 50, maximum: 1_000_000, maxProperties: 50 };
/** The same for lower limits: a model sends no empty names or lists, and does not ask for less than one. */
const minimaOfNote: Record<string, number> = { minLength: 3, minItems: 1, minimum: 1 };

/**
 * An input schema as assistants are shown it. Every byte of a list costs tokens, so what no model would meet or need is left
 * out: inputs marked `unadvertised` (old spellings, rare fields) and limits beyond what a model writes. Both still hold.
 */
export function advertiseSchema(schema: ObjectSchema): ObjectSchema {
  return { ...schemaParts(schema), type: "object" };
}

function schemaParts(schema: Record<string, unknown>, isInner = false): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isBeyondNote(key, value) && !(isInner && key === "additionalProperties" && !value))
      .map(([key, value]) => [key, key === "properties" && isRecord(value) ? properties(value) : part(value)]),
  );
}

function properties(all: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, schema]) =>
      isRecord(schema) && schema["unadvertised"] === true ? [] : [[name, part(schema)]],
    ),
  );
}

function part(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(part);
  return isRecord(value) ? schemaParts(value, true) : value;
}

function isBeyondNote(key: string, value: unknown): boolean {
  if (typeof value !== "number") return false;
  const most = Object.hasOwn(limitsOfNote, key) ? limitsOfNote[key] : undefined;
  const least = Object.hasOwn(minimaOfNote, key) ? minimaOfNote[key] : undefined;
  return (most !== undefined && value >= most) || (least !== undefined && value <= least);
}
