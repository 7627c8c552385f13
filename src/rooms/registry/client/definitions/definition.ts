import type { Fields, Finding, Form, Kind } from "../types.ts";
import { authorIn, lineIn, namesIn, recordIn, textIn } from "./field-values.ts";
import { inputSchemaOf, outputSchemaOf } from "./tool-schemas.ts";
import { noVersion } from "./versions.ts";

/** Of names and versions, wherever they come from. */
export const [maxName, maxVersion] = [214, 256];

/** A definition as its file has it. */
export type Definition = {
  kind: Kind;
  form: Form;
  name: string;
  version: string;
  /** As written, with the text below front matter among them. */
  fields: Fields;
  /** What is not as the schema has it, and is understood all the same. */
  notes: Finding[];
  /** The line of a field in the file. */
  lineOf(path: readonly (string | number)[]): number | undefined;
};

/** Which field the text below front matter is. */
export const bodyFields: Record<Kind, string> = { agent: "system_prompt", tool: "extended_description" };

/** Where a definition says what it was forked from, in any of the dialects. */
export type ForkMark = { name: string; version: string; createdAt: string; mergedAt?: string };

/** The parts of a definition that answers are made of, whatever dialect it is in. */
export function describe(fields: Fields, kind: Kind) {
  const meta = recordIn(fields, "metadata") ?? {};
  const tags = namesIn(fields, "tags") ?? namesIn(meta, "tags") ?? namesIn(fields, "keywords");
  return {
    description: textIn(fields, "description"),
    author: authorIn(fields) ?? authorIn(meta),
    license: lineIn(fields, "license"),
    tags: tags && [...new Set(tags)],
    tools: namesIn(fields, "tools") ?? namesIn(fields, "allowed-tools"),
    extends: lineIn(fields, "extends"),
    prompt: textIn(fields, "system_prompt"),
    dependsOn: namesIn(fields, "depends_on") ?? [],
    customTools: namesIn(fields, "custom_tools") ?? [],
    fork: forkMarkIn(fields),
    ...(kind === "tool" && { inputSchema: inputSchemaOf(fields), outputSchema: outputSchemaOf(fields) }),
  };
}

export function nameOf(fields: Fields): string | undefined {
  return textIn(fields, "name");
}

export function versionOf(fields: Fields): string {
  return textIn(fields, "version") ?? textIn(recordIn(fields, "metadata") ?? {}, "version") ?? noVersion;
}

export function forkMarkIn(fields: Fields): ForkMark | undefined {
  const own = recordIn(fields, "fork_of");
  const theirs = recordIn(fields, "fork");
  const name = own ? textIn(own, "name") : theirs && (textIn(theirs, "upstream") ?? textIn(theirs, "from_name"));
  if (name === undefined || name.length > maxName) return undefined;
  const mark = own ?? theirs ?? {};
  const first = (...names: string[]) => names.map((field) => timeIn(mark, field)).find((value) => value !== undefined);
  const mergedAt = first("merged_at", "mergedAt");
  return {
    name,
    version: (
      textIn(mark, "version") ??
      textIn(mark, "upstreamVersion") ??
      textIn(mark, "from_version") ??
      noVersion
    ).slice(0, maxVersion),
    createdAt: first("forked_at", "forkedAt", "created_at") ?? "",
    ...(mergedAt !== undefined && { mergedAt }),
  };
}

/** YAML may have made a date of it. */
function timeIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return value instanceof Date ? value.toISOString() : textIn(fields, name)?.slice(0, 100);
}
