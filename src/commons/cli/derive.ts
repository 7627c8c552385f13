import type { Argument, Option, Options, Signature, ToolFacts } from "../../kernel/definitions/command.ts";
import { fields, text, texts } from "./json-fields.ts";

/** How a command says one input of its tool, where that differs from what the tool's schema gives. */
type OptionShape = Partial<Pick<Option, "short" | "value" | "help" | "path" | "negatable" | "commas">> & {
  /** The flag, where it is not the input's own name. */
  flag?: string;
  /** An empty list means any value: the command checks it itself. */
  choices?: readonly string[];
};

export type ArgumentShape = { field?: string; name?: string; help?: string; required?: boolean; rest?: true };

export type Shape = {
  arguments?: readonly (string | ArgumentShape)[];
  /** By input; a text is the flag's name, and false leaves the input out. */
  options?: Readonly<Record<string, string | OptionShape | false>>;
  /** Leaves out all inputs that are not named in `options`. */
  only?: true;
  /** Options that are not the tool's: how the answer is printed. */
  own?: Options;
  fixed?: Readonly<Record<string, unknown>>;
};

type Field = { path: string; required: boolean; schema: Record<string, unknown>; help: string };

/** Arguments and options of a command, from the schema of the tool it calls. */
export function deriveSignature(
  { inputSchema, description }: ToolFacts,
  shape: Shape,
): Signature & { details: string } {
  const all = fieldsOf(inputSchema, "");
  const find = (path: string) => all.find((field) => field.path === path);
  const args = (shape.arguments ?? all.filter(({ required }) => required).map(({ path }) => path)).map((given) =>
    argumentFrom(typeof given === "string" ? { field: given } : given, find),
  );
  const positional = new Set(args.flatMap(({ field }) => field?.split("/") ?? []));
  const options = all.flatMap((field) => {
    const said = shape.options?.[field.path];
    const isLeftOut = said === false || (shape.only && said === undefined);
    if (positional.has(field.path) || isLeftOut || Object.hasOwn(shape.fixed ?? {}, field.path)) return [];
    return optionsFrom(field, typeof said === "string" ? { flag: said } : (said ?? {}));
  });
  return { details: description, arguments: args, options: { ...Object.fromEntries(options), ...shape.own } };
}

/** Inner objects with known properties are said by their properties. */
function fieldsOf({ properties, required }: Record<string, unknown>, prefix: string): Field[] {
  return Object.entries(fields(properties)).flatMap(([name, value]) => {
    const schema = withoutNull(fields(value));
    const inner = fields(schema["properties"]);
    if (schema["type"] === "object" && Object.keys(inner).length > 0) return fieldsOf(schema, `${prefix}${name}.`);
    const help = sentence(text(schema["description"]) || capitalize(name));
    return [{ path: prefix + name, required: texts(required).includes(name), schema, help }];
  });
}

/** A nullable input is said by its other type. */
function withoutNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = schema;
  const others = Array.isArray(anyOf) ? anyOf.map(fields).filter(({ type }) => type !== "null") : [];
  return others.length === 1 ? { ...rest, ...others[0] } : schema;
}

function argumentFrom(shape: ArgumentShape, find: (path: string) => Field | undefined): Argument {
  const field = shape.field === undefined ? undefined : find(shape.field);
  const { rest, name = shape.field ?? "", help = field?.help ?? "", required = field?.required ?? false } = shape;
  return {
    name: kebab(name),
    required,
    help,
    ...(shape.field !== undefined && { field: shape.field }),
    ...(rest && { rest }),
  };
}

/** None for what a command line cannot say: lists of objects and the like stay with the tool. */
function optionsFrom({ path, schema, help }: Field, { flag, ...said }: OptionShape): [string, Option][] {
  const name = flag ?? kebab(path.slice(path.lastIndexOf(".") + 1));
  const { type, items, enum: allowed, default: usual } = schema;
  const { choices: chosen, ...given } = said;
  const common = { field: path, help, ...given };
  const choices = chosen ?? texts(allowed ?? fields(items)["enum"]);
  const value = given.value ?? name.toUpperCase();
  switch (type) {
    case "string":
      return [[name, { type: "string", value, ...(choices.length > 0 && { choices }), ...common }]];
    case "boolean":
      if (usual === true) return [[flag ?? `no-${name}`, { type: "boolean", negates: true, ...common }]];
      return [[name, { type: "boolean", ...common }]];
    case "integer":
    case "number": {
      const fallback = typeof usual === "number" ? { default: usual } : {};
      return [[name, { type: "number", value: "N", ...bounds(schema), ...fallback, ...common }]];
    }
    case "array": {
      if (fields(items)["type"] !== "string") return [];
      return [[name, { type: "list", value, ...(choices.length > 0 && { choices }), ...common }]];
    }
    default:
      return [];
  }
}

/** The limits of exact integers in JSON are no limits a person would want to read. */
function bounds(schema: Record<string, unknown>): Pick<Option, "min" | "max" | "integer"> {
  const { minimum, maximum, type } = schema;
  return {
    ...(typeof minimum === "number" && minimum > Number.MIN_SAFE_INTEGER && { min: minimum }),
    ...(typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER && { max: maximum }),
    ...(type === "integer" && { integer: true }),
  };
}

function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

function capitalize(name: string): string {
  const words = kebab(name).replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
