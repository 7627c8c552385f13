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
  description?: string;
  tags?: string[];
  source: Source;
  path: string;
};

/** A tool or agent that a definition needs. */
export type Dependency = { name: string; version: string; type: Kind };

export type AgentInfo = DefinitionSummary & {
  author?: string;
  license?: string;
  tools?: string[];
  extends?: string;
  prompt?: string;
  dependencies?: Dependency[];
};

export type ToolInfo = DefinitionSummary & {
  author?: string;
  license?: string;
  extends?: string;
  inputSchema?: Fields;
  outputSchema?: Fields;
};

export type Finding = { field: string; message: string; line?: number };

export type ValidationReport = {
  valid: boolean;
  path: string;
  errors: (Finding & { severity: "error" | "warning" })[];
  warnings: Finding[];
  schema_version: string;
};

export type SourceFilter = Source | "all";

export type ListQuery = { tags?: string[]; source?: SourceFilter; limit?: number; offset?: number };

export type DefinitionQuery = { name: string; version?: string; source?: SourceFilter };

export type ValidationQuery = { path?: string; name?: string; strict?: boolean; checkTools?: boolean };

/** Results that may be old, or incomplete because a registry could not be reached. */
export type Reached = { stale?: true; warnings?: string[] };

export type Page = { total: number; limit: number; offset: number };

export type ComponentKind = "agents" | "tools" | "workflows" | "hooks" | "commands";

export type PluginSummary = {
  name: string;
  version: string;
  scope: "global" | "local";
  path: string;
  hasUpdate?: boolean;
  latestVersion?: string;
};

export type PluginInfo = {
  name: string;
  version: string;
  description?: string;
  author?: string;
  license?: string;
  homepage?: string;
  repository?: string;
  keywords?: string[];
  components: Record<ComponentKind, string[]>;
  dependencies?: Record<string, string>;
  installed?: { scope: "global" | "local"; path: string; installedVersion: string };
  availableVersions?: string[];
};

export type SearchResult = {
  name: string;
  version: string;
  description?: string;
  author?: string;
  tags?: string[];
  downloads?: number;
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
  lastMerged?: string;
};

export type FieldChange = {
  field: string;
  local?: unknown;
  upstream?: unknown;
  changeType: "added" | "removed" | "modified";
};

export type ForkDiff = {
  name: string;
  upstreamVersion: string;
  upstreamLatest?: string;
  localVersion: string;
  differences: FieldChange[];
  summary: { added: number; removed: number; modified: number };
  diff?: string;
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

export type RegistryEntry = { name: string; url: string; priority: number; authenticated: boolean };
