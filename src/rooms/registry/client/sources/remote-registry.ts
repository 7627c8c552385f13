import type { ConfiguredRegistry } from "../config/config.ts";
import type { Definition } from "../definitions/definition.ts";
import type { PluginOffers } from "../install/offers.ts";
import type { Fields, Kind, SearchResult } from "../types.ts";

export type Asked = {
  signal: AbortSignal;
  onlyCached?: boolean;
  /** Asks the registry even where the cache has a recent answer: what is installed should be what there is now. */
  isFresh?: boolean;
};

/** A definition that a registry has in one version. */
export type RemoteVersion = {
  name: string;
  version: string;
  description?: string;
  tags?: string[];
  /** Where it is: an address or a file. */
  path: string;
  load(): Promise<Definition>;
};

export type RemotePlugin = { name: string; version: string; versions: string[]; fields: Fields; path: string };

export type Found<T> = { items: T[]; stale: boolean };

/** A place that definitions can be had from: a server, a static list, or a folder. */
export interface RemoteRegistry {
  readonly config: ConfiguredRegistry;
  /** Every definition, in its highest version. */
  list(kind: Kind, asked: Asked): Promise<Found<RemoteVersion>>;
  /** All versions of a name; none where the registry does not have it. */
  versions(kind: Kind, name: string, asked: Asked): Promise<Found<RemoteVersion>>;
  plugin(name: string, version: string | undefined, asked: Asked): Promise<Found<RemotePlugin>>;
  search(query: string, asked: Asked): Promise<Found<SearchResult>>;
  /** What can be installed of a plugin; nothing where the registry does not have it. */
  offers(name: string, asked: Asked): Promise<Found<PluginOffers>>;
}

/** Whether all words of a query are somewhere in what a result says. */
export function matches(query: string, result: Pick<SearchResult, "name" | "description" | "tags">): boolean {
  const said = [result.name, result.description ?? "", ...(result.tags ?? [])].join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => said.includes(word));
}
