import { formatYaml } from "../../../../commons/yaml/edit-yaml.ts";
import { joinFrontMatter } from "../../../../commons/yaml/front-matter.ts";
import { bodyFields, type Definition, describe } from "../definitions/definition.ts";
import { recordIn, textIn } from "../definitions/field-values.ts";
import type { Fields } from "../types.ts";
import { keepFields } from "./kept-fields.ts";
import { writeServerJson } from "./mcp-server.ts";

/** The forms that a definition can be written in. */
export const exportForms = [
  "yaml",
  "markdown",
  "claude-agent",
  "claude-skill",
  "agent-skill",
  "claude-plugin",
  "agent-plugin",
  "mcp-server",
] as const;
export type ExportForm = (typeof exportForms)[number];

export type ExportedFile = { path: string; text: string };

const agentPluginSchema = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
const maxSkillName = 64;
const maxSkillDescription = 1_024;

/** A definition as files of another form, by where that client looks for them. What the form has no field for is carried along. */
export function exportDefinition(definition: Definition, form: ExportForm): ExportedFile[] {
  const { name, kind, fields, version } = definition;
  const slug = slugOf(name);
  switch (form) {
    case "yaml":
      return [{ path: `.fractary/${kind}s/${slug}.yaml`, text: formatYaml({ ...fields, name }) }];
    case "markdown":
      return [{ path: `.fractary/${kind}s/${slug}.md`, text: withBody({ ...fields, type: kind, name }, definition) }];
    case "claude-agent":
      return [{ path: `.claude/agents/${slug}.md`, text: claudeAgent(definition) }];
    case "claude-skill":
      return [{ path: `.claude/skills/${slug}/SKILL.md`, text: skill(definition) }];
    case "agent-skill":
      return [{ path: `.agents/skills/${slug}/SKILL.md`, text: skill(definition) }];
    case "claude-plugin":
      return [
        {
          path: `${slug}/.claude-plugin/plugin.json`,
          text: json({ ...pluginFields(definition), agents: [`./agents/${slug}.md`] }),
        },
        { path: `${slug}/agents/${slug}.md`, text: claudeAgent(definition) },
      ];
    case "agent-plugin":
      return [
        { path: `${slug}/plugin.json`, text: json({ $schema: agentPluginSchema, ...pluginFields(definition) }) },
        { path: `${slug}/skills/${slug}/SKILL.md`, text: skill(definition) },
      ];
    case "mcp-server":
      return [{ path: "server.json", text: json(writeServerJson({ ...fields, name, type: kind }, name, version)) }];
  }
}

function claudeAgent(definition: Definition): string {
  const { name, fields, kind } = definition;
  const { description, tools } = describe(fields, kind);
  const llm = recordIn(fields, "llm") ?? {};
  const model =
    textIn(fields, "model") ??
    (llm["provider"] === undefined || llm["provider"] === "anthropic" ? textIn(llm, "model") : undefined);
  const front = {
    name: slugOf(name),
    description: description ?? name,
    ...(tools && tools.length > 0 && { tools: tools.join(", ") }),
    ...(model !== undefined && { model }),
  };
  return withKept(front, definition, {});
}

function skill(definition: Definition): string {
  const { name, fields, kind, version } = definition;
  const { description, tools, license, author } = describe(fields, kind);
  const front = {
    name: slugOf(name).slice(0, maxSkillName),
    description: (description ?? name).slice(0, maxSkillDescription),
    ...(license !== undefined && { license }),
    ...(tools && tools.length > 0 && { "allowed-tools": tools.join(", ") }),
  };
  return withKept(front, definition, { version, ...(author !== undefined && { author }) });
}

/** The front matter, the fields it has no place for, and the prompt below. */
function withKept(front: Fields, definition: Definition, metadata: Fields): string {
  const { fields, kind, name } = definition;
  const { [bodyFields[kind]]: _, ...own } = fields;
  const kept = keepFields(metadata, { own: { ...own, type: kind, name }, as: front });
  return withBody({ ...front, metadata: kept }, definition);
}

function withBody(front: Fields, { fields, kind }: Definition): string {
  const { [bodyFields[kind]]: body, ...rest } = { ...front, [bodyFields[kind]]: fields[bodyFields[kind]] };
  const text = typeof body === "string" ? body : (textIn(fields, "description") ?? "");
  return joinFrontMatter(formatYaml(rest), `\n${text}`);
}

function pluginFields({ name, version, fields, kind }: Definition): Fields {
  const { description, author, license, tags } = describe(fields, kind);
  return {
    name: slugOf(name),
    version,
    ...(description !== undefined && { description: description.slice(0, maxSkillDescription) }),
    ...(author !== undefined && { author: { name: author } }),
    ...(license !== undefined && { license }),
    ...(tags && tags.length > 0 && { keywords: tags }),
  };
}

/** A name that every client takes: lower case, digits and single hyphens. */
function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join("-");
  return slug === "" ? "definition" : slug.slice(0, 100);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
