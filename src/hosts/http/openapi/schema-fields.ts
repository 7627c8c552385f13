import { isRecord } from "../../../kernel/json.ts";
import type { Json } from "./operations.ts";

/** A field, for people. */
export type Field = { name: string; type: string; required: boolean; description: string };

/** The fields of a JSON schema with those of what is in them: `claim.holder`, `questions[].id`. */
export function fieldsOf(schema: Json, prefix = ""): Field[] {
  return variantsOf(schema).flatMap((variant) => {
    if (variant["type"] === "array") return fieldsOf(jsonIn(variant["items"]), `${prefix}[]`);
    const required = listIn(variant["required"]);
    return Object.entries(jsonIn(variant["properties"])).flatMap(([key, value]) => {
      const field = jsonIn(value);
      const name = prefix === "" ? key : `${prefix}.${key}`;
      const description = typeof field["description"] === "string" ? field["description"] : "";
      return [{ name, type: typeOf(field), required: required.includes(key), description }, ...fieldsOf(field, name)];
    });
  });
}

/** A schema in words: `string, at most 300 characters`. */
export function typeOf(schema: Json): string {
  const names = [...new Set(variantsOf(schema).map(nameOf))].join(" or ");
  return schema["default"] === undefined ? names : `${names}, default: ${JSON.stringify(schema["default"])}`;
}

function nameOf(schema: Json): string {
  const { type, enum: values, const: only, items } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return listIn(values).map(String).join(", ");
  if (type === "array") {
    const bounds = boundsOf(schema, "Items", "").slice(2);
    return `list${bounds && ` (${bounds})`} of ${typeOf(jsonIn(items))}`;
  }
  if (type === "string") return `string${boundsOf(schema, "Length", " characters")}`;
  if (type === "integer") return `integer${boundsOf(schema, "imum", "")}`;
  if (type === "number") return `number${boundsOf(schema, "imum", "")}`;
  return typeof type === "string" ? type : "any JSON";
}

/** The limits of numbers in JavaScript need not be documented. */
const furthest = Number.MAX_SAFE_INTEGER;

function boundsOf(schema: Json, what: "Items" | "Length" | "imum", unit: string): string {
  const [least, most] = [schema[`min${what}`], schema[`max${what}`]];
  const hasLeast = typeof least === "number" && least > -furthest && !(least === 0 && what !== "imum");
  const hasMost = typeof most === "number" && most < furthest;
  if (hasLeast && hasMost) return least === most ? `, ${least}${unit}` : `, ${least} to ${most}${unit}`;
  if (hasMost) return `, at most ${most}${unit}`;
  return hasLeast ? `, at least ${least}${unit}` : "";
}

function variantsOf(schema: Json): Json[] {
  const variants = listIn(schema["anyOf"] ?? schema["oneOf"]);
  return variants.length === 0 ? [schema] : variants.map(jsonIn).flatMap(variantsOf);
}

function jsonIn(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
