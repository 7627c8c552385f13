import { basename } from "node:path";
import { splitFrontMatter } from "../../../../commons/yaml/front-matter.ts";
import { type ParsedYaml, parseYaml, YamlFault } from "../../../../commons/yaml/parse-yaml.ts";
import { isRecord } from "../../../../kernel/json.ts";
import { restoreFields } from "../formats/kept-fields.ts";
import { readServerJson } from "../formats/mcp-server.ts";
import type { Fields, Finding, Form, Kind } from "../types.ts";
import { bodyFields, type Definition, maxName, maxVersion, nameOf, versionOf } from "./definition.ts";
import { textIn } from "./field-values.ts";

/** A file that is larger is not read. */
export const maxDefinitionBytes = 1_048_576;

/** What keeps a file from being a definition. It never quotes the file. */
export class DefinitionFault extends Error {
  readonly line: number | undefined;
  readonly field: string;

  constructor(message: string, { line, field = "file" }: { line?: number | undefined; field?: string } = {}) {
    super(message);
    this.name = "DefinitionFault";
    this.line = line;
    this.field = field;
  }
}

type Place = {
  path: string;
  /** What the folder says it is; the file's own `type` counts more. */
  kind: Kind;
  /** For a file that has no name of its own. */
  fallbackName?: string;
};

type Content = { fields: Fields; body?: string; lineOf: ParsedYaml["lineOf"]; notes: Finding[] };

/** Reads a definition in any form: YAML, Markdown with front matter, a Claude Code agent or skill, an MCP `server.json`. */
export function parseDefinition(text: string, place: Place): Definition {
  const content = readContent(text, place);
  const { lineOf } = content;
  const fields = restoreFields(content.fields);
  const kind = kindOf(fields, place.kind);
  const form = formOf(place.path, { ...content, fields }, kind);
  const notes = [...content.notes];
  const own = nameOf(fields);
  if (own === undefined && place.fallbackName === undefined)
    throw new DefinitionFault("the name is missing", { field: "name" });
  const name = own ?? place.fallbackName ?? "";
  if (own === undefined)
    notes.push({ field: "name", message: "name is missing; the file's name is used", ...lineIn(lineOf, []) });
  if (name.length > maxName)
    throw new DefinitionFault(`the name is longer than ${maxName} characters`, {
      field: "name",
      line: lineOf(["name"]),
    });
  const version = versionOf(fields);
  if (version.length > maxVersion) throw new DefinitionFault("the version is too long", { field: "version" });
  const withBody = foldBody(fields, content.body, kind);
  return { kind, form, name, version, fields: withBody, notes, lineOf };
}

function readContent(text: string, { path }: Place): Content {
  if (text.includes("\0")) throw new DefinitionFault("it is not a text file");
  if (path.endsWith(".json")) return readJson(text);
  if (!path.endsWith(".md")) return { ...readYaml(text, 0), notes: [] };
  const parts = splitFrontMatter(text);
  if (!parts) throw new DefinitionFault("it has no front matter (YAML between two lines of ---)", { line: 1 });
  const body = parts.body.replace(/^\r?\n/, "");
  try {
    return { ...readYaml(parts.front, parts.frontOffset), body, notes: [] };
  } catch (error) {
    const fields = readPlainLines(parts.front);
    if (!fields || !(error instanceof DefinitionFault)) throw error;
    const message = `the front matter is not valid YAML: ${error.message}; it was read line by line, as Claude Code does`;
    const note = { field: "front matter", message, ...(error.line !== undefined && { line: error.line }) };
    return { fields, body, lineOf: () => undefined, notes: [note] };
  }
}

function readYaml(text: string, lineOffset: number): { fields: Fields; lineOf: ParsedYaml["lineOf"] } {
  try {
    const { value, lineOf } = parseYaml(text, { lineOffset });
    if (!isRecord(value))
      throw new DefinitionFault("it is not a mapping of fields to values", { line: lineOffset + 1 });
    return { fields: value, lineOf };
  } catch (error) {
    if (error instanceof YamlFault) throw new DefinitionFault(error.message, { line: error.line });
    throw error;
  }
}

const maxJsonBytes = 262_144;

function readJson(text: string): Content {
  if (Buffer.byteLength(text) > maxJsonBytes) throw new DefinitionFault(`it is larger than ${maxJsonBytes} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DefinitionFault("it is not valid JSON");
  }
  if (!isRecord(value)) throw new DefinitionFault("it is not a JSON object");
  return { fields: readServerJson(value) ?? value, lineOf: () => undefined, notes: [] };
}

/** Values of Claude Code's front matter may contain colons without quotes: one key a line, the rest is its value. */
function readPlainLines(front: string): Fields | undefined {
  const fields: Fields = {};
  let last: { key: string; rest: string; more: string[] } | undefined;
  const take = () => {
    if (!last) return;
    const { key, rest, more } = last;
    if (key !== "constructor" && key !== "prototype") fields[key] = plainValue(rest, more);
  };
  for (const line of front.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const [key, rest] = [line.slice(0, Math.max(0, colon)), line.slice(colon + 1)];
    if (/^[A-Za-z][\w-]{0,63}$/.test(key) && (rest === "" || /^[ \t]/.test(rest))) {
      take();
      last = { key, rest: rest.trim(), more: [] };
    } else if (line.trim() !== "") last?.more.push(line);
  }
  take();
  return textIn(fields, "name") !== undefined && textIn(fields, "description") !== undefined ? fields : undefined;
}

/** If lines below a key are items of a list, these are its value; otherwise they are more of its text. */
function plainValue(first: string, more: readonly string[]): string | string[] {
  const items = more.filter((line) => listItem.test(line));
  if (items.length > 0) return items.map((line) => unquote(line.replace(listItem, "").trim()));
  if (more.length === 0) return unquote(first);
  return [unquote(first).replace(/^[|>][+-]?$/, ""), ...more.map((line) => line.trim())].join(" ").trim();
}

const listItem = /^\s*-\s+/;

function unquote(text: string): string {
  return /^(["']).*\1$/.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}

function kindOf(fields: Fields, folder: Kind): Kind {
  const type = textIn(fields, "type");
  return type === "agent" || type === "tool" ? type : folder;
}

function formOf(path: string, { fields, body }: Pick<Content, "fields" | "body">, kind: Kind): Form {
  if (basename(path).toLowerCase() === "skill.md") return "skill";
  if (path.endsWith(".json")) return "mcp-server";
  if (body === undefined) return "yaml";
  const isNative = ["agent", "tool"].includes(textIn(fields, "type") ?? "") || fields["llm"] !== undefined;
  return kind === "agent" && !isNative ? "claude-agent" : "markdown";
}

/** The text below front matter always counts more than a field of the same meaning. */
function foldBody(fields: Fields, body: string | undefined, kind: Kind): Fields {
  if (body === undefined || body.trim() === "") return fields;
  return { ...fields, [bodyFields[kind]]: body };
}

function lineIn(lineOf: ParsedYaml["lineOf"], path: readonly (string | number)[]): { line?: number } {
  const line = lineOf(path);
  return line === undefined ? {} : { line };
}
