import type { App } from "../../../commons/cli/app.ts";
import { commandFor } from "../../../commons/cli/command-for.ts";
import { printList } from "../../../commons/cli/print/list.ts";
import type { Column } from "../../../commons/cli/print/table.ts";
import type { Candidate, Command, Output, TypingPlace } from "../../../kernel/definitions/command.ts";
import { plain, plainLines } from "../../../platform/terminal/text.ts";
import type { DefinitionSummary, Kind, ValidationReport } from "../client/types.ts";
import type { RegistryServices } from "../services.ts";
import type { fractaryForgeAgentInfo } from "../tools/agent/fractary-forge-agent-info.ts";
import type { fractaryForgeAgentList } from "../tools/agent/fractary-forge-agent-list.ts";
import type { fractaryForgeAgentValidate } from "../tools/agent/fractary-forge-agent-validate.ts";
import type { registryCreateAgent } from "../tools/change/registry-create-agent.ts";
import type { registryCreateTool } from "../tools/change/registry-create-tool.ts";
import type { fractaryForgeToolInfo } from "../tools/tool/fractary-forge-tool-info.ts";
import type { fractaryForgeToolList } from "../tools/tool/fractary-forge-tool-list.ts";
import type { fractaryForgeToolValidate } from "../tools/tool/fractary-forge-tool-validate.ts";
import { askFor } from "./ask-for.ts";
import { printFields, printWritten, registrySettings } from "./layout.ts";

const columns: Column<DefinitionSummary>[] = [
  { title: "NAME", cell: ({ name }) => name },
  { title: "VERSION", cell: ({ version }) => version },
  { title: "SOURCE", cell: ({ source }) => source },
  {
    title: "DESCRIPTION",
    cell: ({ description = "" }) => description.replace(/\s+/g, " ").slice(0, 200),
    shrinks: true,
  },
];

const facts = { settings: registrySettings, group: "more" as const, isQuiet: true as const };
const tagOption = { value: "LIST", commas: true as const, help: "Only those with any of these tags." };
const sourceOption = { help: "Only from this source." };

const agentList = commandFor<typeof fractaryForgeAgentList>({
  ...facts,
  tool: "fractary_forge_agent_list",
  name: "registry agent-list",
  summary: "List agents",
  examples: [["forge registry agent-list --tags review", "Agents with the tag review."]],
  options: { tags: tagOption, source: sourceOption, limit: { short: "n" } },
  print: ({ agents, total, offset, limit }, out, { again }) =>
    printPage(agents, { total, offset, limit }, "agent", out, again),
});

const toolList = commandFor<typeof fractaryForgeToolList>({
  ...facts,
  tool: "fractary_forge_tool_list",
  name: "registry tool-list",
  summary: "List tools",
  examples: [["forge registry tool-list --source local", "The tools of this project."]],
  options: { tags: tagOption, source: sourceOption, limit: { short: "n" } },
  print: ({ tools, total, offset, limit }, out, { again }) =>
    printPage(tools, { total, offset, limit }, "tool", out, again),
});

type PagePlace = { total: number; offset: number; limit: number };

function printPage(
  rows: DefinitionSummary[],
  { total, offset, limit }: PagePlace,
  kind: Kind,
  out: Output,
  again: (changes: Record<string, unknown>) => string,
): void {
  const hasMore = offset + rows.length < total;
  const more = hasMore ? again({ offset: offset + limit }) : undefined;
  printList(
    { columns, rows, none: `No ${kind}s found. Create one with \`forge registry ${kind}-create NAME\`.`, more },
    out,
  );
}

const agentInfo = commandFor<typeof fractaryForgeAgentInfo>({
  ...facts,
  tool: "fractary_forge_agent_info",
  name: "registry agent-info",
  summary: "Show an agent",
  examples: [["forge registry agent-info reviewer --show-prompt", "An agent with its prompt."]],
  options: { version: { help: "Version or range (default: latest)." }, source: sourceOption },
  complete: (app, place) => completeNames(app, place, "agent"),
  print({ prompt, tools = [], dependencies = [], ...info }, out, { input }) {
    printFields(
      {
        ...info,
        tools: tools.join(", "),
        dependencies: dependencies.map(({ name, version }) => `${name}@${version}`).join(", "),
      },
      out,
    );
    if (input["showPrompt"] && prompt !== undefined) out.print(`\n${plainLines(prompt)}`);
  },
});

const toolInfo = commandFor<typeof fractaryForgeToolInfo>({
  ...facts,
  tool: "fractary_forge_tool_info",
  name: "registry tool-info",
  summary: "Show a tool",
  examples: [["forge registry tool-info run-tests", "A tool with its inputs."]],
  options: { version: { help: "Version or range (default: latest)." }, source: sourceOption },
  complete: (app, place) => completeNames(app, place, "tool"),
  print({ inputSchema, outputSchema, ...info }, out) {
    printFields(info, out);
    for (const [title, schema] of [
      ["Input", inputSchema],
      ["Output", outputSchema],
    ] as const)
      if (schema) out.print(`\n${title}:\n${JSON.stringify(schema, undefined, 2)}`);
  },
});

const validateOptions = {
  path: { help: "Check this file instead of a name.", path: "file" as const },
  strict: { help: "Count warnings as errors." },
};

const agentValidate = commandFor<typeof fractaryForgeAgentValidate>({
  ...facts,
  tool: "fractary_forge_agent_validate",
  name: "registry agent-validate",
  summary: "Check an agent's definition",
  examples: [["forge registry agent-validate reviewer --strict", "Also with warnings as errors."]],
  arguments: [{ field: "name", required: false, help: "Name of the agent." }],
  options: validateOptions,
  print: printReport,
  exitCode: ({ valid }) => (valid ? 0 : 1),
  complete: (app, place) => completeNames(app, place, "agent"),
});

const toolValidate = commandFor<typeof fractaryForgeToolValidate>({
  ...facts,
  tool: "fractary_forge_tool_validate",
  name: "registry tool-validate",
  summary: "Check a tool's definition",
  examples: [["forge registry tool-validate --path tools/run-tests.yaml", "A file."]],
  arguments: [{ field: "name", required: false, help: "Name of the tool." }],
  options: validateOptions,
  print: printReport,
  exitCode: ({ valid }) => (valid ? 0 : 1),
  complete: (app, place) => completeNames(app, place, "tool"),
});

function printReport(
  { valid, path, errors, warnings }: Pick<ValidationReport, "valid" | "path" | "errors" | "warnings">,
  out: Output,
): void {
  const line = (kind: string, { field, message, line: at }: ValidationReport["warnings"][number]) =>
    `${plain(path)}${at === undefined ? "" : `:${at}`}: ${kind}: ${plain(field)}: ${plain(message)}`;
  for (const finding of errors) out.print(line(out.style.red("error"), finding));
  for (const finding of warnings) out.print(line(out.style.yellow("warning"), finding));
  out.note(valid ? `Valid: ${plain(path)}` : `Not valid: ${plain(path)}`);
}

const agentCreate = commandFor<typeof registryCreateAgent>({
  ...facts,
  tool: "registry_create_agent",
  name: "registry agent-create",
  summary: "Create an agent",
  details:
    "Writes .fractary/agents/NAME.yaml. On a terminal it asks for the description and the prompt that were not given.",
  examples: [["forge registry agent-create reviewer --tools read-diff", "A new agent."]],
  options: {
    tools: { value: "LIST", commas: true },
    tags: { value: "LIST", commas: true },
    model: { flag: "model-name" },
    provider: { flag: "model" },
  },
  toInput: async (given, { app, out }) => {
    const description = given["description"] ?? (await askFor(app, out, "Description: "));
    const prompt = given["prompt"] ?? (await askFor(app, out, "Prompt: "));
    return {
      ...given,
      ...(description !== undefined && { description }),
      ...(prompt !== undefined && { prompt }),
    } as never;
  },
  print: (created, out) => printWritten("Created", created, out),
});

const toolCreate = commandFor<typeof registryCreateTool>({
  ...facts,
  tool: "registry_create_tool",
  name: "registry tool-create",
  summary: "Create a tool",
  details:
    "Writes .fractary/tools/NAME.yaml. On a terminal it asks for the description and the command that were not given.",
  examples: [['forge registry tool-create run-tests --command "npm test"', "A new tool."]],
  options: { tags: { value: "LIST", commas: true } },
  toInput: async (given, { app, out }) => {
    const description = given["description"] ?? (await askFor(app, out, "Description: "));
    const command = given["command"] ?? (await askFor(app, out, "Command: "));
    return {
      ...given,
      ...(description !== undefined && { description }),
      ...(command !== undefined && { command }),
    } as never;
  },
  print: (created, out) => printWritten("Created", created, out),
});

/** Names for a shell's Tab key. */
async function completeNames(app: App, { option, positionals }: TypingPlace, kind: Kind): Promise<Candidate[]> {
  if (option !== undefined || positionals.length > 0) return [];
  const { library } = await app.room<RegistryServices>("registry");
  const { groupsOf } = await import("../client/places/definition-groups.ts");
  return groupsOf(await library.open().store.all())
    [kind].list.slice(0, 500)
    .map(({ name, description = "" }) => ({ value: name, help: description.slice(0, 60) }));
}

export const definitionCommands: Command<App>[] = [
  agentList,
  agentInfo,
  agentValidate,
  agentCreate,
  toolList,
  toolInfo,
  toolValidate,
  toolCreate,
];
