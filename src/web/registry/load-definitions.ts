import { readTool, request } from "../data/api.ts";
import { facts } from "../data/start.ts";

export type Kind = "agent" | "tool" | "plugin";

export type ListedDefinition = {
  kind: Kind;
  name: string;
  version: string;
  /** Where it is: this project, the user's own, or a registry. */
  place: string;
  description?: string;
  tags?: string[];
  isFork?: boolean;
};

export type DefinitionList = { definitions: ListedDefinition[]; warnings: string[] };

type Summary = { name: string; version: string; description?: string; tags?: string[]; source: string };
type Found = Omit<Summary, "source"> & { type?: Kind; latest?: string; registry?: string };

const maxListed = 1_000;
const places: Record<string, string> = { local: "this project", global: "your own", stockyard: "registry" };

/** What this project can use. */
export async function listDefinitions(): Promise<DefinitionList> {
  const [agents, tools, plugins, forks] = await Promise.all([
    readTool<{ agents: Summary[]; warnings?: string[] }>("fractary_forge_agent_list", { limit: maxListed }),
    readTool<{ tools: Summary[]; warnings?: string[] }>("fractary_forge_tool_list", { limit: maxListed }),
    readTool<{ plugins: { name: string; version: string; scope: string }[] }>("fractary_forge_plugin_list"),
    readTool<{ forks: { name: string; type: string }[] }>("fractary_forge_fork_list"),
  ]);
  const forked = new Set(forks.forks.map(({ name, type }) => `${type} ${name}`));
  const toItem = (kind: Kind) => (item: Summary) => ({
    ...{ ...item, kind, place: places[item.source] ?? item.source },
    isFork: item.source === "local" && forked.has(`${kind} ${item.name}`),
  });
  return {
    definitions: [
      ...agents.agents.map(toItem("agent")),
      ...tools.tools.map(toItem("tool")),
      ...plugins.plugins.map(({ name, version, scope }) => ({
        ...{ kind: "plugin" as const, name, version, place: places[scope] ?? scope },
      })),
    ],
    warnings: [...new Set([...(agents.warnings ?? []), ...(tools.warnings ?? [])])],
  };
}

/** What registries have: of a project those it is configured with, of a team's server its own. */
export async function searchRegistries(text: string): Promise<DefinitionList> {
  if (facts.value?.place === "project") {
    const { results, warnings = [] } = await readTool<{ results: Found[]; warnings?: string[] }>(
      "fractary_forge_plugin_search",
      { query: text, limit: 100 },
    );
    return {
      definitions: results.map((item) => ({ ...item, kind: "plugin", place: item.registry ?? "registry" })),
      warnings,
    };
  }
  const found = await Promise.all(
    (["plugin", "agent", "tool"] as const).map((kind) =>
      request<{ results: Found[] }>("GET", `/api/v1/search?type=${kind}&pageSize=100&q=${encodeURIComponent(text)}`),
    ),
  );
  return {
    definitions: found.flatMap(({ results }) =>
      results.map((item) => ({ ...item, kind: item.type ?? "plugin", place: "this server" })),
    ),
    warnings: [],
  };
}
