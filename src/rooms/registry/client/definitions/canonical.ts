import { isRecord } from "../../../../kernel/json.ts";
import type { Fields, Finding } from "../types.ts";
import { type Definition, describe } from "./definition.ts";
import { recordIn, textIn } from "./field-values.ts";
import { inputSchemaOf, isJsonSchema } from "./tool-schemas.ts";
import { noVersion } from "./versions.ts";

/** A definition as the schema has it, and what had to be understood on the way. */
export type Canonical = { fields: Fields; notes: Finding[] };

type Note = (field: string, message: string) => void;

/** Dialects in use, put into the schema's own form. */
export function canonicalize(definition: Definition): Canonical {
  const notes = [...definition.notes];
  const note: Note = (field, message) => {
    const line = definition.lineOf(field.split("."));
    notes.push({ field, message, ...(line !== undefined && { line }) });
  };
  const fields = { ...definition.fields, name: definition.name };
  const common = { ...fields, ...commonFields(definition, note) };
  return {
    fields: definition.kind === "agent" ? agentFields(common, definition, note) : toolFields(common, note),
    notes,
  };
}

function commonFields(definition: Definition, note: Note): Fields {
  const { fields, kind } = definition;
  const { tags, description } = describe(fields, kind);
  if (tags && !Array.isArray(fields["tags"])) note("tags", "tags is not a list");
  return {
    type: typeOf(definition, note),
    version: fullVersion(definition, note),
    ...(description !== undefined && { description }),
    ...(tags && { tags }),
  };
}

function typeOf({ fields, kind, form }: Definition, note: Note): string {
  const type = textIn(fields, "type");
  if (type === undefined)
    note("type", `type is missing; the definition is read as ${kind === "agent" ? "an agent" : "a tool"}`);
  const isForeign = form === "skill" || form === "claude-agent";
  if (isForeign && type !== undefined && type !== kind) note("type", "this type is not in the schema");
  return isForeign ? kind : (type ?? kind);
}

function fullVersion({ fields, version }: Definition, note: Note): string {
  if (typeof fields["version"] === "number") note("version", "version is a number; write it in quotes");
  else if (version === noVersion && textIn(fields, "version") === undefined)
    note("version", "version is missing; it counts as 0.0.0");
  else if (/^\d+(?:\.\d+)?$/.test(version)) note("version", "version does not have three numbers");
  if (/^\d+$/.test(version)) return `${version}.0.0`;
  return /^\d+\.\d+$/.test(version) ? `${version}.0` : version;
}

function agentFields(fields: Fields, { form, fields: given }: Definition, note: Note): Fields {
  const { tools } = describe(given, "agent");
  if (typeof given["tools"] === "string") note("tools", "tools is a text with commas; write it as a list");
  if (given["allowed-tools"] !== undefined && given["tools"] === undefined)
    note("allowed-tools", "allowed-tools is a skill's word for tools");
  const isForeign = form === "claude-agent" || form === "skill";
  const model = textIn(given, "model");
  if (model !== undefined && given["llm"] === undefined) note("model", "model is Claude Code's word for llm.model");
  const llm =
    given["llm"] ??
    (isForeign || model !== undefined ? { provider: "anthropic", model: model ?? "inherit" } : undefined);
  if (isForeign && model === undefined && given["llm"] === undefined)
    note("llm", "llm is missing; the client's own model is used");
  if (isForeign && tools === undefined) note("tools", "tools is missing; the client's own tools are used");
  const caching = readCaching(given, note);
  return {
    ...fields,
    ...(llm !== undefined && { llm }),
    ...(tools || isForeign ? { tools: tools ?? [] } : {}),
    ...(caching && { caching }),
  };
}

function readCaching(fields: Fields, note: Note): Fields | undefined {
  const caching = recordIn(fields, "caching");
  if (!caching || caching["sources"] === undefined) return undefined;
  note("caching.sources", "caching.sources is called caching.cache_sources");
  const { sources, ...rest } = caching;
  return { cache_sources: sources, ...rest };
}

function toolFields(fields: Fields, note: Note): Fields {
  if (fields["llm"] !== undefined) note("llm", "a tool has no llm; it is ignored");
  return { ...fields, ...parametersOf(fields, note), ...implementationOf(fields, note) };
}

function parametersOf(fields: Fields, note: Note): Fields {
  const parameters = recordIn(fields, "parameters");
  const schemaField = ["input_schema", "inputSchema"].find((name) => recordIn(fields, name));
  if (schemaField !== undefined)
    note(schemaField, `${schemaField} is JSON Schema; the schema's own field is parameters`);
  else if (parameters && isJsonSchema(parameters))
    note("parameters", "parameters is JSON Schema; the schema has one entry for each parameter");
  else if (parameters) return {};
  for (const name of ["output_schema", "outputSchema"])
    if (recordIn(fields, name)) note(name, `${name} is called output`);
  const schema = inputSchemaOf(fields);
  if (!schema) return textIn(fields, "extends") === undefined ? missingParameters(note) : {};
  return { parameters: fromJsonSchema(schema) };
}

function missingParameters(note: Note): Fields {
  note("parameters", "parameters is missing; the tool takes none");
  return { parameters: {} };
}

function fromJsonSchema(schema: Fields): Fields {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const entries = Object.entries(recordIn(schema, "properties") ?? {}).map(([name, value]) => {
    const { type, description, enum: allowed, default: usual } = isRecord(value) ? value : {};
    const known = Array.isArray(type) ? type.find((one) => one !== "null") : type;
    return [
      name,
      {
        type: known ?? "object",
        required: required.includes(name),
        ...(typeof description === "string" && { description }),
        ...(Array.isArray(allowed) && { enum: allowed }),
        ...(usual !== undefined && { default: usual }),
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** Implementations that the schema does not know are understood where they name something that could be run. */
function implementationOf(fields: Fields, note: Note): Fields {
  const given = recordIn(fields, "implementation");
  if (!given) {
    if (textIn(fields, "extends") !== undefined || fields["implementation"] !== undefined) return {};
    note("implementation", "implementation is missing; the tool is a description only");
    return { implementation: { type: "bash", bash: { command: "true" } } };
  }
  const type = textIn(given, "type");
  const isScripts = type === "bash" && given["bash"] === undefined && textIn(given, "command") === undefined;
  if (isScripts) {
    note("implementation", "implementation names a folder of scripts and not a command");
    return { implementation: { type: "bash", bash: { command: textIn(given, "scripts_directory") ?? "scripts" } } };
  }
  if (type === "bash" && given["bash"] === undefined) {
    note("implementation.command", "implementation.command is called implementation.bash.command");
    return { implementation: { type: "bash", bash: { command: textIn(given, "command") } } };
  }
  if (type !== undefined && !["bash", "python", "http", "mcp"].includes(type)) {
    note("implementation.type", "this type of implementation is not in the schema");
    return { implementation: { type: "bash", bash: { command: "true" } } };
  }
  return {};
}
