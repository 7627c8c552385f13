import { resolve } from "node:path";
import { once } from "../../../kernel/definitions/room.ts";
import { environment } from "../../../platform/host/environment.ts";
import { userHome } from "../../../platform/host/user-folder.ts";
import { Library } from "./library.ts";
import type { Registry, RegistryOptions } from "./public-types.ts";

export type * from "./public-types.ts";

/** The registry of a project: its definitions, plugins, forks, configuration and cache. */
export function openRegistry(options: RegistryOptions = {}): Registry {
  const { projectRoot = resolve("."), home = userHome(), env = environment } = options;
  const signal = options.signal ?? new AbortController().signal;
  let close: (() => void) | undefined;
  const fetcher = once(async () => {
    const { Fetcher } = await import("../../../platform/fetch/fetcher.ts");
    const made = new Fetcher({ log: () => undefined });
    close = () => made.close();
    return made;
  });
  const library = new Library({ projectRoot, home, env, fetcher });
  const list = async (kind: "agent" | "tool", query: Parameters<Registry["listAgents"]>[0]) =>
    library.open().resolver.list(kind, query ?? {}, signal);
  return {
    listAgents: (query) => list("agent", query),
    listTools: (query) => list("tool", query),
    getAgent: (query) => library.open().reader.agentInfo(query, signal),
    getTool: (query) => library.open().reader.toolInfo(query, signal),
    validate: (kind, query) => library.open().validator.validate(kind, query, signal),
    listPlugins: (query = {}) => library.open().plugins.list(query, signal),
    getPlugin: (query) => library.open().plugins.info(query, signal),
    searchPlugins: (query) => library.open().plugins.search(query, signal),
    listForks: (type = "all") => library.open().forks.list(type, signal),
    getFork: (name) => library.open().forks.info(name, signal),
    diffFork: (name, format = "unified") => library.open().forks.diff(name, format, signal),
    checkForks: (name) => library.open().forks.check(name, signal),
    createFork: (request) => library.open().forks.create(request, signal),
    mergeFork: (request) => library.open().forks.merge(request, signal),
    cacheStats: () => library.open().cache.stats(),
    clearCache: (type = "all", olderThanDays) => library.open().cache.clear(type, olderThanDays),
    exportDefinition: ({ folder = ".", force = false, dryRun = false, ...request }) =>
      library.exportTo({ ...request, folder, force, dryRun }, signal),
    close: () => close?.(),
  };
}
