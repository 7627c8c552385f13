import type { z } from "zod";
import type { Fields, Finding, Kind, ValidationReport } from "../types.ts";
import { canonicalize } from "./canonical.ts";
import { type Definition, describe } from "./definition.ts";
import type { DefinitionFault } from "./parse-definition.ts";
import { agentSchema, extendedAgentSchema, extendedToolSchema, schemaVersion, toolSchema } from "./schema.ts";

const maxFindings = 100;

/** Whether a definition is as the schema has it. What is only understood is a warning, in strict mode an error. */
export function validateDefinition(
  definition: Definition,
  path: string,
  { strict, kind }: { strict: boolean; kind: Kind },
): ValidationReport {
  const { fields, notes } = canonicalize(definition);
  const errors = [...kindErrors(definition, kind), ...schemaErrors(fields, definition), ...promptErrors(definition)];
  const warnings = [...notes, ...adviceOn(definition), ...hiddenTexts(definition)];
  return reportOf(path, strict ? [...errors, ...warnings] : errors, strict ? [] : warnings);
}

/** The report on a file that is not a definition. */
export function reportFault({ message, line, field }: DefinitionFault, path: string): ValidationReport {
  return reportOf(path, [{ field, message, ...(line !== undefined && { line }) }], []);
}

export function reportOf(path: string, errors: readonly Finding[], warnings: readonly Finding[]): ValidationReport {
  return {
    valid: errors.length === 0,
    path,
    errors: errors.slice(0, maxFindings).map((finding) => ({ ...finding, severity: "error" as const })),
    warnings: warnings.slice(0, maxFindings),
    schema_version: schemaVersion,
  };
}

function kindErrors({ kind, lineOf }: Definition, wanted: Kind): Finding[] {
  return kind === wanted
    ? []
    : [makeFinding("type", `this is a definition of ${kind === "agent" ? "an agent" : "a tool"}`, lineOf(["type"]))];
}

function schemaErrors(fields: Fields, { kind, lineOf }: Definition): Finding[] {
  const isExtended = fields["extends"] !== undefined;
  const schema =
    kind === "agent" ? (isExtended ? extendedAgentSchema : agentSchema) : isExtended ? extendedToolSchema : toolSchema;
  const result = schema.safeParse(fields);
  return result.success ? [] : result.error.issues.map((issue) => ofIssue(issue, fields, lineOf));
}

function ofIssue(issue: z.core.$ZodIssue, fields: Fields, lineOf: Definition["lineOf"]): Finding {
  const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  const field = path.join(".") || "definition";
  const isMissing = issue.code === "invalid_type" && valueAt(fields, path) === undefined;
  const own = path.map((_, index) => lineOf(path.slice(0, path.length - index))).find((line) => line !== undefined);
  return makeFinding(field, isMissing ? `${field} is required` : `${field} ${messageOf(issue)}`, own ?? lineOf([]));
}

/** The library's own messages name what it received by type only; ours are parts of a sentence. */
function messageOf({ message }: z.core.$ZodIssue): string {
  return /^(?:must|may) /.test(message) ? message : "does not have the expected form";
}

function valueAt(fields: Fields, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
    fields,
  );
}

function promptErrors({ kind, form, fields, lineOf }: Definition): Finding[] {
  const isMarkdown = form === "markdown" || form === "claude-agent" || form === "skill";
  if (kind !== "agent" || !isMarkdown || describe(fields, kind).prompt !== undefined) return [];
  return [
    makeFinding("system_prompt", "the text below the front matter is empty; it is the agent's prompt", lineOf([])),
  ];
}

function adviceOn({ kind, fields, lineOf }: Definition): Finding[] {
  const { description, tags } = describe(fields, kind);
  return [
    ...(description === undefined ? [makeFinding("description", "description is missing", lineOf([]))] : []),
    ...(tags === undefined || tags.length === 0 ? [makeFinding("tags", "tags are missing", lineOf([]))] : []),
  ];
}

/** Changes of direction, characters without width and tags: a person does not see them, and a model reads them. */
const hiddenCharacters = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u{e0000}-\u{e007f}]/u;
const maxDepth = 20;

function hiddenTexts({ fields, lineOf }: Definition): Finding[] {
  const findings: Finding[] = [];
  const look = (value: unknown, path: string[]): void => {
    if (typeof value === "string") {
      const [character] = hiddenCharacters.exec(value) ?? [];
      const code = character?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
      if (code !== undefined)
        findings.push(
          makeFinding(path.join("."), `contains hidden characters (U+${code})`, lineOf(path) ?? lineOf([])),
        );
    } else if (typeof value === "object" && value !== null && path.length < maxDepth)
      for (const [name, inner] of Object.entries(value)) look(inner, [...path, name]);
  };
  look(fields, []);
  return findings;
}

function makeFinding(field: string, message: string, line: number | undefined): Finding {
  return { field, message, ...(line !== undefined && { line }) };
}
