import type { Argument, Command, Option, Options, Output } from "../../kernel/command.ts";
import type { App } from "./app.ts";
import { fields, text, texts } from "./json-fields.ts";

type Own = Pick<Command<App>, "summary" | "examples" | "settings" | "group"> & {
  /** What a person reads of the tool's result. */
  print(result: unknown, out: Output): string;
};

/** A command that mirrors a tool: what it takes and what it is for come from the tool, only the printing is its own. */
export function commandFromTool(name: string, tool: string, { print, ...own }: Own): Command<App> {
  return {
    ...own,
    name,
    derive(app) {
      const { description, inputSchema } = app.toolInput(tool);
      const parameters = parametersOf(inputSchema);
      return {
        details: description,
        options: optionsFrom(parameters),
        arguments: parameters.filter(({ required }) => required).map(argumentFrom),
      };
    },
    async run(app, { options }, out) {
      const input: Record<string, unknown> = {};
      for (const { property, flag } of parametersOf(app.toolInput(tool).inputSchema)) {
        if (options[flag] !== undefined) input[property] = options[flag];
      }
      const result = await app.callTool(tool, input, out.signal);
      out.data(result, () => print(result, out));
      return 0;
    },
  };
}

type Parameter = { property: string; flag: string; required: boolean; schema: Record<string, unknown>; help: string };

function parametersOf({ properties, required }: Record<string, unknown>): Parameter[] {
  return Object.entries(fields(properties)).map(([property, value]) => {
    const schema = fields(value);
    const { description } = schema;
    return {
      property,
      flag: kebab(property),
      required: texts(required).includes(property),
      schema,
      help: sentence(text(description) || `The tool's argument ${property}`),
    };
  });
}

function optionsFrom(parameters: Parameter[]): Options {
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const option = optionFrom(parameter);
      return option ? [[parameter.flag, option]] : [];
    }),
  );
}

function argumentFrom({ flag, help }: Parameter): Argument {
  return { name: flag, required: true, option: flag, help };
}

/** Undefined for what a command line cannot say: nested objects and the like stay with the tool. */
function optionFrom({ schema, flag, help }: Parameter): Option | undefined {
  const value = flag.toUpperCase();
  const { type, items, enum: allowed } = schema;
  const choices = texts(allowed);
  switch (type) {
    case "string":
      return { type: "string", value, help, ...(choices.length > 0 && { choices }) };
    case "boolean":
      return { type: "boolean", help };
    case "integer":
    case "number":
      return { type: "number", value: "N", help, ...bounds(schema) };
    case "array":
      return isTextSchema(items) ? { type: "list", value, help } : undefined;
    default:
      return undefined;
  }
}

function isTextSchema(schema: unknown): boolean {
  const { type } = fields(schema);
  return type === "string";
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

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
