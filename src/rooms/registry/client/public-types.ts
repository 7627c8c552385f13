import type {
  AgentInfo,
  CacheCleared,
  CacheStats,
  CacheType,
  DefinitionQuery,
  DefinitionSummary,
  ForkCreated,
  ForkDiff,
  ForkInfo,
  ForkSummary,
  ForkUpdate,
  Kind,
  ListQuery,
  MergeResult,
  Page,
  PluginInfo,
  PluginQuery,
  PluginSummary,
  Reached,
  SearchQuery,
  SearchResult,
  ToolInfo,
  ValidationQuery,
  ValidationReport,
} from "./types.ts";

export type * from "./types.ts";

export type RegistryOptions = {
  /** Default: the current folder. */
  projectRoot?: string | undefined;
  /** Default: the user's home. */
  home?: string | undefined;
  /** Default: the process's own. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  signal?: AbortSignal | undefined;
};

export type MergeStrategy = "auto" | "local" | "upstream" | "manual";

export type ForkRequest = { source: string; name?: string; type?: Kind; force?: boolean; dryRun?: boolean };

export type MergeRequest = {
  name: string;
  upstream?: string;
  strategy?: MergeStrategy;
  base?: string;
  dryRun?: boolean;
};

export type ExportTarget =
  | "yaml"
  | "markdown"
  | "claude-agent"
  | "claude-skill"
  | "agent-skill"
  | "claude-plugin"
  | "agent-plugin"
  | "mcp-server";

type Listed = { items: DefinitionSummary[] } & Page & Reached;

/** What a program can do with a registry. Everything that fails rejects with an error that has a `code`. */
export type Registry = {
  listAgents(query?: ListQuery): Promise<Listed>;
  listTools(query?: ListQuery): Promise<Listed>;
  getAgent(query: DefinitionQuery): Promise<AgentInfo & Reached>;
  getTool(query: DefinitionQuery): Promise<ToolInfo & Reached>;
  validate(kind: Kind, query: ValidationQuery): Promise<ValidationReport>;
  listPlugins(query?: {
    scope?: "global" | "local" | "all";
    outdated?: boolean;
  }): Promise<{ plugins: PluginSummary[]; total: number } & Reached>;
  getPlugin(query: PluginQuery): Promise<PluginInfo & Reached>;
  searchPlugins(query: SearchQuery): Promise<{ results: SearchResult[]; total: number; query: string } & Reached>;
  listForks(type?: Kind | "all"): Promise<{ forks: ForkSummary[]; total: number }>;
  getFork(name: string): Promise<ForkInfo & Reached>;
  diffFork(name: string, format?: "unified" | "json"): Promise<ForkDiff & Reached>;
  checkForks(name?: string): Promise<{ updates: ForkUpdate[]; total: number; hasUpdates: boolean } & Reached>;
  createFork(request: ForkRequest): Promise<ForkCreated>;
  mergeFork(request: MergeRequest): Promise<MergeResult>;
  cacheStats(): Promise<CacheStats>;
  clearCache(type?: CacheType, olderThanDays?: number): Promise<CacheCleared>;
  exportDefinition(request: {
    name: string;
    to: ExportTarget;
    type?: Kind;
    folder?: string;
    force?: boolean;
    dryRun?: boolean;
  }): Promise<{ name: string; type: Kind; files: { path: string; text: string }[]; dryRun: boolean }>;
  /** Closes connections that are still open. */
  close(): void;
};
