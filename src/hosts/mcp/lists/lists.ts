/** What a client sees of a server, as plain data. Without zod and the SDK, so that it can be used before either is loaded. */

export type ToolEntry = {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown> & { type: "object" };
  outputSchema?: (Record<string, unknown> & { type: "object" }) | undefined;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  /** The entry as it goes over the wire, where the build has written it. */
  readonly json?: string;
};

export type PromptEntry = {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description?: string; required: boolean }[];
};

type ResourceEntry = { uri: string; name: string; title: string; description: string; mimeType: string };

type TemplateEntry = Omit<ResourceEntry, "uri"> & { uriTemplate: string };

/** One toolset's entries, as they go over the wire. */
export type CatalogEntry = {
  name: string;
  title: string;
  guidance: string;
  tools: ToolEntry[];
  /** Names of tools that can be called and are not listed. */
  unlisted: string[];
  /** Those of its tools that are listed from the start under `--toolsets auto`. */
  coreTools: string[];
  /** Those of its tools that an exact profile does not have. */
  extraTools: string[];
  /** Those of its tools that a client with file tools of its own does not need. */
  fileTools: string[];
  prompts: PromptEntry[];
  resources: ResourceEntry[];
  resourceTemplates: TemplateEntry[];
};

export type Catalog = CatalogEntry[];

/** The lists of one server. */
export type McpLists = {
  serverInfo: { name: string; title: string; version: string };
  instructions: string;
  capabilities: Record<string, Record<string, unknown>>;
  tools: ToolEntry[];
  /** Tools that are listed once a client has enabled their toolset, by toolset. */
  offered: Record<string, ToolEntry[]>;
  /** Tools that are left out of the list of a client that has its own; none where the toolsets were named. */
  leftToClients: string[];
  /** Tools of the served toolsets that an exact profile does not have: they cannot be called either. */
  excluded: string[];
  prompts: PromptEntry[];
  resources: ResourceEntry[];
  resourceTemplates: TemplateEntry[];
};

export type ListOptions = {
  serverName: string;
  version: string;
  /** Names of the toolsets to serve. */
  toolsets: readonly string[];
  readOnly: boolean;
  /** Lists only what the toolset's specification has. */
  exact?: boolean;
  /** `auto`: lists the core loop, offers the rest, and hides file tools from clients that have their own. */
  auto?: boolean;
  /** Under `auto`: toolsets whose other tools are not offered, since nothing in the project calls for them. */
  coreOnly?: readonly string[];
  /** Whether the lists may change while the server runs. */
  listChanged?: boolean;
};

/** How long a client may keep a list. */
export const listCaching = { ttlMs: 300_000, cacheScope: "private" } as const;

const preamble = [
  "Forge gives you this project's development context and keeps a ledger of what you do.",
  "Call a tool instead of guessing: its answers come from git, the store and real runs.",
  "An error says what was wrong and what to do next; follow its suggestions.",
].join(" ");

export function makeLists(catalog: Catalog, options: ListOptions): McpLists {
  const { auto = false, exact = false, readOnly, listChanged = false, coreOnly = [] } = options;
  const served = catalog.filter((entry) => options.toolsets.includes(entry.name));
  const usable = (entry: CatalogEntry) =>
    entry.tools.filter(
      (tool) => (!readOnly || tool.annotations.readOnlyHint) && !(exact && entry.extraTools.includes(tool.name)),
    );
  const isListed = (entry: CatalogEntry, tool: ToolEntry) => !auto || entry.coreTools.includes(tool.name);
  const offered = Object.fromEntries(
    served
      .filter(({ name }) => !coreOnly.includes(name))
      .map((entry) => [entry.name, usable(entry).filter((tool) => !isListed(entry, tool))] as const)
      .filter(([, tools]) => tools.length > 0),
  );
  const tools = served.flatMap((entry) => usable(entry).filter((tool) => isListed(entry, tool)));
  const spared = auto ? served.flatMap((entry) => entry.fileTools) : [];
  const canEnable = Object.keys(offered).length > 0;
  return {
    serverInfo: { name: options.serverName, title: "Forge", version: options.version },
    instructions: instructionsFor(served, offered, readOnly),
    capabilities: {
      tools: { listChanged: listChanged || canEnable },
      prompts: { listChanged },
      resources: { subscribe: true, listChanged },
      completions: {},
      logging: {},
    },
    tools: canEnable ? [...tools, enableToolsetEntry(offered)] : tools,
    offered,
    leftToClients: served
      .flatMap(usable)
      .map(({ name }) => name)
      .filter((name) => spared.includes(name)),
    excluded: exact ? served.flatMap(({ extraTools }) => extraTools) : [],
    prompts: served.flatMap((entry) => entry.prompts),
    resources: served.flatMap((entry) => entry.resources),
    resourceTemplates: served.flatMap((entry) => entry.resourceTemplates),
  };
}

function instructionsFor(served: CatalogEntry[], offered: Record<string, ToolEntry[]>, readOnly: boolean): string {
  const more = Object.entries(offered).map(
    ([name, tools]) => `${name} (${tools.length} more ${tools.length === 1 ? "tool" : "tools"})`,
  );
  return [
    preamble,
    ...served.flatMap(({ title, guidance }) => (guidance === "" ? [] : [`${title}: ${guidance}`])),
    ...(more.length > 0
      ? [`More tools are available; call ${enableToolsetName} to list them: ${more.join(", ")}.`]
      : []),
    ...(readOnly ? ["This server is read-only: tools that change anything are not available."] : []),
  ].join("\n");
}

export const enableToolsetName = "forge_enable_toolset";

/** The entry of the tool that lists more tools. Written out here, since this module loads before zod. */
function enableToolsetEntry(offered: Record<string, ToolEntry[]>): ToolEntry {
  return {
    name: enableToolsetName,
    title: "List more tools",
    description: "List a toolset's other tools, when the task needs one of them.",
    inputSchema: {
      type: "object",
      properties: { toolset: { type: "string", enum: Object.keys(offered) } },
      required: ["toolset"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

/**
 * Clients with file tools of their own: as people know them, how their names in the handshake start, and what those tools can
 * reach. `project`: files outside the project's folder are refused, or cost a question each.
 */
const clientsWithFileTools: [shown: string, name: RegExp, reach: "project" | "anywhere"][] = [
  ["Claude Code", /^claude[ _-]?code(?![a-z])/i, "anywhere"],
  ["Cursor", /^cursor(?![a-z])/i, "project"],
  ["Codex", /^codex(?![a-z])/i, "project"],
  ["Gemini CLI", /^gemini(?:[ _-]?cli)?(?![a-z])/i, "project"],
  ["VS Code", /^(?:visual studio code|vs[ _-]?code)(?![a-z])/i, "project"],
  ["Copilot CLI", /^(?:github[ _-]?)?copilot(?![a-z])/i, "anywhere"],
  ["Roo Code", /^roo[ _-]?code(?![a-z])/i, "project"],
  ["Cline", /^(?:@cline\/core|cline)(?![a-z])/i, "project"],
  ["Windsurf", /^windsurf(?![a-z])/i, "project"],
  ["Zed", /^zed(?![a-z])/i, "project"],
  ["Kiro", /^kiro(?![a-z])/i, "anywhere"],
  ["Amazon Q", /^(?:amazon[ _-]?q|q[ _-]?(?:dev|cli))(?![a-z])/i, "anywhere"],
];

export const clientsWithFileToolsNames: readonly string[] = clientsWithFileTools.map(([shown]) => shown);

export function hasFileTools(client: string | undefined): boolean {
  return findClient(client) !== undefined;
}

/** Whether the client's own file tools end at the project's folder. */
export function isConfinedToProject(client: string | undefined): boolean {
  return findClient(client)?.[2] === "project";
}

type KnownClient = (typeof clientsWithFileTools)[number] | undefined;

/** The last one that was looked for: all calls of a connection ask for the same client, twice each. */
let found: { name: string; client: KnownClient } | undefined;

function findClient(name: string | undefined): KnownClient {
  if (name === undefined) return undefined;
  if (found?.name !== name) found = { name, client: clientsWithFileTools.find(([, pattern]) => pattern.test(name)) };
  return found.client;
}

/**
 * The tools that a client of this name is shown, with those of the toolsets that it has enabled. Their order does not depend on
 * the order in which it did.
 */
export function toolsFor(
  lists: McpLists,
  client: string | undefined,
  enabled: ReadonlySet<string> = new Set(),
): ToolEntry[] {
  const more = Object.entries(lists.offered).flatMap(([toolset, entries]) => (enabled.has(toolset) ? entries : []));
  return withoutOwn(lists, client, more.length === 0 ? lists.tools : [...lists.tools, ...more]);
}

/** What a client of this name can enable. */
export function listOffered(lists: McpLists, client: string | undefined): Record<string, ToolEntry[]> {
  return Object.fromEntries(
    Object.entries(lists.offered).map(([toolset, entries]) => [toolset, withoutOwn(lists, client, entries)]),
  );
}

/** Without the file tools, for a client that has its own. */
function withoutOwn({ leftToClients }: McpLists, client: string | undefined, tools: ToolEntry[]): ToolEntry[] {
  if (leftToClients.length === 0 || !hasFileTools(client)) return tools;
  return tools.filter(({ name }) => !leftToClients.includes(name));
}

/** About what a list costs in a model's context: clients show it name, description and input schema. */
export function estimateTokens(tools: readonly ToolEntry[]): number {
  const visible = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return tools.length === 0 ? 0 : Math.round(JSON.stringify(visible).length / 4);
}
