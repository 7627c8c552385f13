import {
  type Catalog,
  type CatalogEntry,
  estimateTokens,
  makeLists,
  type ToolEntry,
} from "../src/hosts/mcp/lists/lists.ts";

/** docs/tools.md: every tool, prompt and resource, and what the lists cost. */
export function toolsPage(catalog: Catalog): string {
  const all = makeLists(catalog, {
    serverName: "forge",
    version: "",
    toolsets: catalog.map(({ name }) => name),
    readOnly: false,
  });
  const shown = catalog.filter(({ tools, prompts, resources, resourceTemplates }) =>
    [tools, prompts, resources, resourceTemplates].some(({ length }) => length > 0),
  );
  return `# Tools, prompts and resources

Generated from the definitions by \`npm run generate\`; do not edit.

## What the lists cost

Tokens are estimated as a quarter of the characters that a client shows its model (name, description and input schema).

| Toolset | Tools | Prompts | Resources | Tokens (approx.) |
|---|---:|---:|---:|---:|
${shown.map(costRow).join("\n")}
| **all** | ${all.tools.length} | ${all.prompts.length} | ${all.resources.length + all.resourceTemplates.length} | ${estimateTokens(all.tools)} |

The server's instructions, with all toolsets: ${Buffer.byteLength(all.instructions)} bytes.

${shown.map(toolsetSection).join("\n\n")}
`;
}

function costRow({ name, tools, prompts, resources, resourceTemplates }: CatalogEntry): string {
  return `| ${name} | ${tools.length} | ${prompts.length} | ${resources.length + resourceTemplates.length} | ${estimateTokens(tools)} |`;
}

function toolsetSection({ name, title, guidance, tools, prompts, resources, resourceTemplates }: CatalogEntry): string {
  const shown = [
    ...resources.map((entry) => ({ ...entry, place: entry.uri })),
    ...resourceTemplates.map((entry) => ({ ...entry, place: entry.uriTemplate })),
  ];
  return [
    `## ${name}: ${title}`,
    guidance,
    ...tools.map(toolSection),
    ...prompts.map(
      (prompt) =>
        `### Prompt \`${prompt.name}\`\n\n${prompt.description}\n\nArguments: ${prompt.arguments.map((argument) => `\`${argument.name}\``).join(", ") || "none"}.`,
    ),
    ...shown.map((resource) => `### Resource \`${resource.place}\`\n\n${resource.description} (${resource.mimeType})`),
  ].join("\n\n");
}

function toolSection({ name, title, description, inputSchema, annotations }: ToolEntry): string {
  const properties = Object.entries((inputSchema["properties"] ?? {}) as Record<string, Record<string, unknown>>);
  const required = (inputSchema["required"] ?? []) as string[];
  const rows = properties.map(([argument, schema]) => {
    const { description: text = "" } = schema;
    return `| \`${argument}\` | ${typeOf(schema)} | ${required.includes(argument) ? "yes" : "no"} | ${text} |`;
  });
  const table =
    rows.length > 0
      ? ["| Argument | Type | Required | Meaning |", "|---|---|---|---|", ...rows].join("\n")
      : "No arguments.";
  const hints = Object.entries(annotations)
    .filter(([, value]) => value)
    .map(([hint]) => hint.replace("Hint", ""));
  return `### \`${name}\`: ${title}\n\n${description}\n\nHints: ${hints.join(", ") || "none"}.\n\n${table}`;
}

/** A schema's type as a reader would say it: its choices, its type, or those that it may have. */
function typeOf(schema: Record<string, unknown>): string {
  const {
    type,
    enum: choices,
    anyOf,
  } = schema as { type?: string; enum?: string[]; anyOf?: Record<string, unknown>[] };
  if (choices) return choices.map((choice) => `\`${choice}\``).join(", ");
  return type ?? anyOf?.map(typeOf).join(" or ") ?? "any";
}
