/** The types of the library, without any package of ours: they are published as they are. */

export type Kind = "agent" | "tool";

/** Where a definition comes from, in the order of resolution. */
export type Source = "local" | "global" | "stockyard";

/** What a definition file says, field by field; the text below front matter is `system_prompt` or `extended_description`. */
export type Fields = Record<string, unknown>;

/** How a definition was written. */
export type Form = "yaml" | "markdown" | "claude-agent" | "skill" | "mcp-server";

export type DefinitionSummary = {
  name: string;
  version: string;
  description?: string | undefined;
  tags?: string[] | undefined;
  source: Source;
  path: string;
};

/** A tool or agent that a definition needs. */
export type Dependency = { name: string; version: string; type: Kind };

export type AgentInfo = DefinitionSummary & {
  author?: string | undefined;
  license?: string | undefined;
  tools?: string[] | undefined;
  extends?: string | undefined;
  prompt?: string | undefined;
  dependencies?: Dependency[] | undefined;
};

export type ToolInfo = DefinitionSummary & {
  author?: string | undefined;
  license?: string | undefined;
  extends?: string | undefined;
  inputSchema?: Fields | undefined;
  outputSchema?: Fields | undefined;
};

export type Finding = { field: string; message: string; line?: number | undefined };

export type ValidationReport = {
  valid: boolean;
  path: string;
  errors: (Finding & { severity: "error" | "warning" })[];
  warnings: Finding[];
  schema_version: string;
};

export type SourceFilter = Source | "all";

export type ListQuery = {
  tags?: string[] | undefined;
  source?: SourceFilter | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
};

export type DefinitionQuery = { name: string; version?: string | undefined; source?: SourceFilter | undefined };

export type ValidationQuery = {
  path?: string | undefined;
  name?: string | undefined;
  strict?: boolean | undefined;
  checkTools?: boolean | undefined;
};

export type PluginQuery = { plugin: string; version?: string | undefined; remote?: boolean | undefined };

export type SearchQuery = {
  query: string;
  tags?: string[] | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
};

/** Results that may be old, or incomplete because a registry could not be reached. */
export type Reached = { stale?: true | undefined; warnings?: string[] | undefined };

export type Page = { total: number; limit: number; offset: number };

export type ComponentKind = "agents" | "tools" | "workflows" | "hooks" | "commands";

export type PluginSummary = {
  name: string;
  version: string;
  scope: "global" | "local";
  path: string;
  hasUpdate?: boolean | undefined;
  latestVersion?: string | undefined;
};

export type PluginInfo = {
  name: string;
  version: string;
  description?: string | undefined;
  author?: string | undefined;
  license?: string | undefined;
  homepage?: string | undefined;
  repository?: string | undefined;
  keywords?: string[] | undefined;
  components: Record<ComponentKind, string[]>;
  dependencies?: Record<string, string> | undefined;
  installed?: { scope: "global" | "local"; path: string; installedVersion: string } | undefined;
  availableVersions?: string[] | undefined;
};

export type SearchResult = {
  name: string;
  version: string;
  description?: string | undefined;
  author?: string | undefined;
  tags?: string[] | undefined;
  downloads?: number | undefined;
  registry: string;
};

export type ForkSummary = {
  name: string;
  type: Kind;
  upstream: { name: string; version: string };
  localVersion: string;
  path: string;
  hasUpstreamUpdate: boolean;
};

export type ForkInfo = Omit<ForkSummary, "upstream"> & {
  upstream: { name: string; version: string; currentVersion: string };
  createdAt: string;
  lastMerged?: string | undefined;
};

export type FieldChange = {
  field: string;
  local?: unknown | undefined;
  upstream?: unknown | undefined;
  changeType: "added" | "removed" | "modified";
};

export type ForkDiff = {
  name: string;
  upstreamVersion: string;
  upstreamLatest?: string | undefined;
  localVersion: string;
  differences: FieldChange[];
  summary: { added: number; removed: number; modified: number };
  diff?: string | undefined;
};

export type ForkUpdate = {
  name: string;
  type: Kind;
  localVersion: string;
  upstreamVersion: string;
  breakingChanges: boolean;
};

export type CacheStats = {
  manifests: { count: number; size: string; oldestEntry: string; newestEntry: string };
  downloads: { count: number; size: string };
  totalSize: string;
  location: string;
  /** What the original program left in its own place. */
  legacy?: { location: string; entries: number };
};

export type CacheType = "manifests" | "downloads" | "all";

export type CacheCleared = { manifests: number; downloads: number; totalSize: string };

export type RegistryType = "stockyard" | "manifest" | "folder";

export type MergeResult = {
  name: string;
  path: string;
  from: string;
  to: string;
  changed: string[];
  conflicts: string[];
  dryRun: boolean;
  text: string;
};

export type ForkCreated = {
  name: string;
  type: Kind;
  path: string;
  upstream: { name: string; version: string };
  dryRun: boolean;
};
