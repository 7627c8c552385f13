import { fields, text, texts } from "../../../commons/cli/json-fields.ts";

/** What a value may be, as far as a command line has to know it. `json` is whatever can only be written as JSON. */
export type Shape =
  | { kind: "text"; choices: string[] }
  | { kind: "number"; integer: boolean; min: number | undefined; max: number | undefined }
  | { kind: "boolean" }
  | { kind: "list"; items: Shape }
  | { kind: "object"; properties: Property[]; others: Shape | undefined }
  | { kind: "json" };

export type Property = { name: string; required: boolean; help: string; fallback: unknown; shape: Shape };

type Json = Record<string, unknown>;

const maxDepth = 16;

/** The arguments of a tool, from the JSON Schema of its input. */
export function propertiesOf(inputSchema: Json): Property[] {
  const shape = read(inputSchema, inputSchema, 0);
  return shape.kind === "object" ? shape.properties : [];
}

function read(given: unknown, root: Json, depth: number): Shape {
  const schema = resolveReference(given, root);
  const { type, items, enum: allowed, const: only, anyOf, oneOf } = schema;
  if (depth > maxDepth) return { kind: "json" };
  const types = Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : undefined;
  const alternatives = types ?? [anyOf, oneOf].find((list) => Array.isArray(list));
  if (alternatives) {
    return oneShape(
      alternatives.map((alternative) => resolveReference(alternative, root)),
      (alternative) => read(alternative, root, depth + 1),
    );
  }
  switch (type) {
    case "string":
      return { kind: "text", choices: typeof only === "string" ? [only] : texts(allowed) };
    case "boolean":
      return { kind: "boolean" };
    case "integer":
    case "number":
      return { kind: "number", integer: type === "integer", ...bounds(schema) };
    case "array":
      return { kind: "list", items: read(items, root, depth + 1) };
    case "object":
      return readObject(schema, root, depth);
    default:
      return { kind: "json" };
  }
}

/** Null is only ever written as JSON; what is left decides, if it is one thing. Several kinds of text are one kind. */
function oneShape(alternatives: Json[], readOne: (schema: Json) => Shape): Shape {
  const shapes = alternatives.filter(({ type }) => type !== "null").map(readOne);
  const [first] = shapes;
  if (first && shapes.length === 1) return first;
  const choices = shapes.flatMap((shape) => (shape.kind === "text" ? [shape.choices] : []));
  if (first === undefined || choices.length < shapes.length) return { kind: "json" };
  const isOpen = choices.some((list) => list.length === 0);
  return { kind: "text", choices: isOpen ? [] : [...new Set(choices.flat())] };
}

function readObject(schema: Json, root: Json, depth: number): Shape {
  const { properties, required, additionalProperties } = schema;
  const needed = texts(required);
  const listed = Object.entries(fields(properties)).map(([name, value]): Property => {
    const { description, default: fallback } = { ...resolveReference(value, root), ...fields(value) };
    return {
      name,
      required: needed.includes(name),
      help: text(description),
      fallback,
      shape: read(value, root, depth + 1),
    };
  });
  const open = typeof additionalProperties === "object" && additionalProperties !== null;
  const others = open ? read(additionalProperties, root, depth + 1) : undefined;
  return { kind: "object", properties: listed, others: additionalProperties === true ? { kind: "json" } : others };
}

/** What a reference within the schema refers to. */
function resolveReference(given: unknown, root: Json): Json {
  let schema = fields(given);
  for (let hops = 0; typeof schema["$ref"] === "string" && hops < maxDepth; hops++) {
    const [, name = ""] = /^#\/\$defs\/(.+)$/.exec(schema["$ref"]) ?? [];
    const { $defs } = root;
    schema = fields(fields($defs)[name]);
  }
  return schema;
}

/** The limits of exact integers in JSON are not worth showing. */
function bounds({ minimum, maximum }: Json): { min: number | undefined; max: number | undefined } {
  return {
    min: typeof minimum === "number" && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined,
    max: typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined,
  };
}
