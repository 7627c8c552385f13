import { isRecord } from "../../../../kernel/json.ts";
import type { Fields } from "../types.ts";
import { recordIn } from "./field-values.ts";

/** A tool's inputs as JSON Schema, from any of the ways they are written. */
export function inputSchemaOf(fields: Fields): Fields | undefined {
  const given = recordIn(fields, "input_schema") ?? recordIn(fields, "inputSchema");
  if (given) return given;
  const parameters = recordIn(fields, "parameters");
  if (!parameters) return undefined;
  return isJsonSchema(parameters) ? parameters : schemaOf(parameters);
}

export function outputSchemaOf(fields: Fields): Fields | undefined {
  const given = recordIn(fields, "output_schema") ?? recordIn(fields, "outputSchema");
  if (given) return given;
  const output = recordIn(fields, "output");
  if (!output) return undefined;
  return isJsonSchema(output) || !Object.values(output).every(isRecord) ? output : schemaOf(output);
}

/** `type: object` with properties, and not a parameter that happens to be called `type`. */
export function isJsonSchema(value: Fields): boolean {
  return typeof value["type"] === "string" || isRecord(value["properties"]) || typeof value["$schema"] === "string";
}

/** Parameters by name, each with `required: true` or not. */
function schemaOf(parameters: Fields): Fields {
  const entries = Object.entries(parameters).filter((entry): entry is [string, Fields] => isRecord(entry[1]));
  const required = entries.filter(([, parameter]) => parameter["required"] === true).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, { required: _, ...schema }]) => [name, withInner(schema)])),
    ...(required.length > 0 && { required }),
  };
}

/** Inner properties are written the same way. */
function withInner(schema: Fields): Fields {
  const inner = recordIn(schema, "properties");
  if (!inner || !Object.values(inner).some((value) => isRecord(value) && typeof value["required"] === "boolean"))
    return schema;
  const { properties, required } = schemaOf(inner);
  return { ...schema, properties, ...(Array.isArray(required) && { required }) };
}
