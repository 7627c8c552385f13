import * as z from "zod";
import type { Prompt } from "../../../kernel/definitions/prompt.ts";
import { isTemplate, type Resource } from "../../../kernel/definitions/resource.ts";
import { isOn, type Tool } from "../../../kernel/definitions/tool.ts";
import type { Toolset } from "../../../kernel/definitions/toolset.ts";
import { effects } from "../../../kernel/effect.ts";
import { advertiseSchema } from "./advertise-schema.ts";
import type { CatalogEntry, PromptEntry, ToolEntry } from "./lists.ts";

/** A toolset as a client sees it. Sorted by name, so that the lists are the same whatever the order of definition. */
export function describeToolset<Services>(toolset: Toolset<Services>): CatalogEntry {
  const { name, title, guidance } = toolset;
  const listed = sortByName(toolset.tools.filter((tool) => isOn("mcp", tool) && !tool.unlisted));
  return {
    name,
    title,
    guidance,
    tools: listed.map((tool) => describeTool(tool)),
    unlisted: toolset.tools.filter((tool) => isOn("mcp", tool) && tool.unlisted).map((tool) => tool.name),
    coreTools: listed.filter((tool) => tool.core).map((tool) => tool.name),
    extraTools: listed.filter((tool) => tool.beyondProfile).map((tool) => tool.name),
    fileTools: listed.filter((tool) => tool.unlessClientHas === "file tools").map((tool) => tool.name),
    prompts: sortByName(toolset.prompts).map(describePrompt),
    resources: sortByName([...toolset.resources].filter((resource) => !isTemplate(resource))).map(
      ({ uri, ...rest }) => ({
        uri,
        ...resourceFacts(rest),
      }),
    ),
    resourceTemplates: sortByName([...toolset.resources].filter(isTemplate)).map(({ uri, ...rest }) => ({
      uriTemplate: uri,
      ...resourceFacts(rest),
    })),
  };
}

/** A tool as a client sees it, also if it is not listed. */
export function describeTool<Services>(tool: Tool<Services>, inputs: "advertised" | "all" = "advertised"): ToolEntry {
  const outputSchema = tool.content ? undefined : objectSchema(tool.output, "output");
  const inputSchema = objectSchema(tool.input, "input");
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputs === "all" ? inputSchema : advertiseSchema(inputSchema),
    ...(outputSchema && { outputSchema }),
    annotations: effects[tool.effect].hints,
  };
}

function describePrompt<Services>(prompt: Prompt<Services>): PromptEntry {
  const { properties, required } = promptSchema.parse(objectSchema(prompt.args, "input"));
  return {
    name: prompt.name,
    title: prompt.title,
    description: prompt.description,
    arguments: Object.entries(properties).map(([name, { description }]) => ({
      name,
      ...(description && { description }),
      required: required.includes(name),
    })),
  };
}

const promptSchema = z.object({
  properties: z.record(z.string(), z.object({ description: z.string().optional() })),
  required: z.array(z.string()).default([]),
});

/** JSON Schema 2020-12 without its `$schema` line: it is the protocol's default, and every byte of a list costs tokens. */
function objectSchema(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> & { type: "object" } {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io });
  if (json.type !== "object") throw new Error("MCP needs an object schema for a tool's input and output");
  return { ...json, type: "object" };
}

function resourceFacts<Services>({ name, title, description, mimeType }: Omit<Resource<Services>, "uri">) {
  return { name, title, description, mimeType };
}

/** By code unit: the same in every locale. */
function sortByName<T extends { name: string }>(items: T[]): T[] {
  return [...items].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
