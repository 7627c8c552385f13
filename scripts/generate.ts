/**
 * Writes what is derived from the definitions: docs/tools.md and one snapshot file per tool. With `--check` it writes
 * nothing and fails where a file is not what it would write.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { catalog } from "../src/catalog.ts";
import { type CatalogEntry, surfaceOf, type ToolEntry, tokensOf } from "../src/hosts/mcp/surface.ts";

const snapshots = "test/contract/tools";
const files = new Map<string, string>([["docs/tools.md", toolsPage()]]);
for (const tool of catalog.flatMap(({ tools }) => tools)) {
  files.set(join(snapshots, `${tool.name}.json`), `${JSON.stringify(tool, null, 2)}\n`);
}

const stale = [...files].filter(([file, text]) => !existsSync(file) || readFileSync(file, "utf8") !== text);
const orphans = (existsSync(snapshots) ? readdirSync(snapshots) : [])
  .map((name) => join(snapshots, name))
  .filter((file) => !files.has(file));

if (process.argv.includes("--check")) {
  for (const file of [...stale.map(([name]) => name), ...orphans])
    console.error(`${file} is not current: run npm run generate`);
  process.exitCode = stale.length + orphans.length > 0 ? 1 : 0;
} else {
  for (const [file, text] of stale) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const file of orphans) rmSync(file);
}

function toolsPage(): string {
  const all = surfaceOf(catalog, {
    serverName: "forge",
    version: "",
    toolsets: catalog.map(({ name }) => name),
    readOnly: false,
  });
  return `# Tools, prompts and resources

Generated from the definitions by \`npm run generate\`; do not edit.

## What the lists cost

Tokens are estimated as a quarter of the characters that a client shows its model (name, description and input schema).

| Toolset | Tools | Prompts | Resources | Tokens, about |
|---|---:|---:|---:|---:|
${catalog.map(costRow).join("\n")}
| **all** | ${all.tools.length} | ${all.prompts.length} | ${all.resources.length + all.resourceTemplates.length} | ${tokensOf(all.tools)} |

The server's instructions, with all toolsets: ${Buffer.byteLength(all.instructions)} bytes.

${catalog.map(toolsetSection).join("\n\n")}
`;
}

function costRow({ name, tools, prompts, resources, resourceTemplates }: CatalogEntry): string {
  return `| ${name} | ${tools.length} | ${prompts.length} | ${resources.length + resourceTemplates.length} | ${tokensOf(tools)} |`;
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
    const {
      type,
      enum: choices,
      description: text = "",
    } = schema as { type?: string; enum?: string[]; description?: string };
    const kind = choices ? choices.map((choice) => `\`${choice}\``).join(", ") : type;
    return `| \`${argument}\` | ${kind} | ${required.includes(argument) ? "yes" : "no"} | ${text} |`;
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
