type Schema = { [key: string]: unknown };

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Words that say what a value may be; a schema without any lets everything through. */
const saying = ["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"];

/** Paths of strings and arrays without a maximum, of objects that take any key, and of what may be anything. */
export function unbounded(schema: Schema, path: string): string[] {
  const found = isUnbounded(schema) ? [path] : [];
  return [...found, ...partsOf(schema).flatMap(([name, part]) => unbounded(part, `${path}.${name}`))];
}

function isUnbounded(schema: Schema): boolean {
  if (!saying.some((word) => word in schema)) return true;
  if ("enum" in schema || "const" in schema) return false;
  const types = [schema["type"]].flat();
  if (types.includes("string") && schema["maxLength"] === undefined) return true;
  if (types.includes("array") && schema["maxItems"] === undefined && !isTuple(schema)) return true;
  return types.includes("object") && !hasKnownKeys(schema);
}

function isTuple({ prefixItems, items }: Schema): boolean {
  return Array.isArray(prefixItems) && !isSchema(items);
}

/** Those it lists and no other, or any of a bounded length where each value has its own schema. */
function hasKnownKeys({ additionalProperties, propertyNames }: Schema): boolean {
  if (additionalProperties === false) return true;
  return isSchema(additionalProperties) && isSchema(propertyNames) && !isUnbounded(propertyNames);
}

function partsOf(schema: Schema): [name: string, part: Schema][] {
  const named = ["properties", "patternProperties", "$defs"].flatMap((word) => {
    const parts = schema[word];
    return isSchema(parts) ? Object.entries(parts) : [];
  });
  const listed = ["prefixItems", "anyOf", "oneOf", "allOf"].flatMap((word): [string, unknown][] => {
    const parts = schema[word];
    return Array.isArray(parts) ? parts.map((part) => [word, part]) : [];
  });
  const single: [string, unknown][] = [
    ["[]", schema["items"]],
    ["{}", schema["additionalProperties"]],
  ];
  return [...named, ...listed, ...single].flatMap(([name, part]) =>
    isSchema(part) ? [[name, part] satisfies [string, Schema]] : [],
  );
}
