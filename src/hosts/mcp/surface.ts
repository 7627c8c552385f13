/** What a client sees of a server, as plain data. Free of zod and of the SDK, so that it can be used before either is loaded. */

export type ToolEntry = {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown> & { type: "object" };
  outputSchema?: Record<string, unknown> & { type: "object" };
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
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
  /** Those of its tools that a client with file tools of its own can do without. */
  fileTools: string[];
  prompts: PromptEntry[];
  resources: ResourceEntry[];
  resourceTemplates: TemplateEntry[];
};

export type Catalog = CatalogEntry[];

export type Surface = {
  serverInfo: { name: string; title: string; version: string };
  instructions: string;
  capabilities: Record<string, Record<string, unknown>>;
  tools: ToolEntry[];
  /** Tools that are left out of the list of a client that has its own; none where the toolsets were named. */
  leftToClients: string[];
  prompts: PromptEntry[];
  resources: ResourceEntry[];
  resourceTemplates: TemplateEntry[];
};

export type SurfaceOptions = {
  serverName: string;
  version: string;
  /** Names of the toolsets to serve. */
  toolsets: readonly string[];
  readOnly: boolean;
  /** Whether clients that have file tools of their own are spared ours. */
  fitsClient?: boolean;
  /** Whether the lists may change while the server runs. */
  listChanged?: boolean;
};

/** How long a client may keep a list: a server's lists do not change while it runs. */
export const listCaching = { ttlMs: 300_000, cacheScope: "private" } as const;

const preamble = [
  "Forge gives you this project's development context and keeps a ledger of what you do.",
  "Call a tool instead of guessing: its answers come from git, the store and real runs.",
  "An error names what was wrong and what to do next; follow its suggestions.",
].join(" ");

export function surfaceOf(catalog: Catalog, options: SurfaceOptions): Surface {
  const served = catalog.filter((entry) => options.toolsets.includes(entry.name));
  const listChanged = options.listChanged ?? false;
  const tools = served
    .flatMap((entry) => entry.tools)
    .filter((tool) => !options.readOnly || tool.annotations.readOnlyHint);
  const spared = options.fitsClient ? served.flatMap((entry) => entry.fileTools) : [];
  const readOnlyNote = options.readOnly ? ["This server is read-only: tools that change anything are left out."] : [];
  return {
    serverInfo: { name: options.serverName, title: "Forge", version: options.version },
    instructions: [preamble, ...served.map((entry) => `${entry.title}: ${entry.guidance}`), ...readOnlyNote].join("\n"),
    capabilities: {
      tools: { listChanged },
      prompts: { listChanged },
      resources: { subscribe: true, listChanged },
      completions: {},
      logging: {},
    },
    tools,
    leftToClients: tools.map(({ name }) => name).filter((name) => spared.includes(name)),
    prompts: served.flatMap((entry) => entry.prompts),
    resources: served.flatMap((entry) => entry.resources),
    resourceTemplates: served.flatMap((entry) => entry.resourceTemplates),
  };
}

/** Clients that bring file tools of their own, as people know them and as they name themselves, whatever follows. */
export const clientsWithFileTools = ["Claude Code", "Cursor", "Codex"];
const namesOfThose = /^(?:claude[ _-]?code|cursor|codex)(?![a-z])/i;

export function hasFileTools(client: string | undefined): boolean {
  return client !== undefined && namesOfThose.test(client);
}

/** The tools that a client of this name is shown. */
export function toolsFor({ tools, leftToClients }: Surface, client: string | undefined): ToolEntry[] {
  if (leftToClients.length === 0 || !hasFileTools(client)) return tools;
  return tools.filter(({ name }) => !leftToClients.includes(name));
}

/** About what a list costs in a model's context: clients show it name, description and input schema. */
export function tokensOf(tools: ToolEntry[]): number {
  const visible = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return tools.length === 0 ? 0 : Math.round(JSON.stringify(visible).length / 4);
}
