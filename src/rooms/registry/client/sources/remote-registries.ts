import { ForgeError } from "../../../../kernel/errors.ts";
import { visible } from "../../../../kernel/text/visible.ts";
import type { ConfiguredRegistry } from "../config/config.ts";
import { maxName } from "../definitions/definition.ts";
import { scopeOf } from "../definitions/reference.ts";
import { isVersion } from "../definitions/versions.ts";
import { registriesDown } from "../errors.ts";
import type { PluginOffers } from "../install/offers.ts";
import { maxDescription } from "../plugins/manifest.ts";
import type { Kind, SearchResult } from "../types.ts";
import type { Asked, Found, RemotePlugin, RemoteRegistry, RemoteVersion } from "./remote-registry.ts";

type Listed = { name: string; version: string; description?: string | undefined; path?: string };

export type Gathered<T> = { items: T[]; stale: boolean; warnings: string[]; asked: string[] };

/** All registries that may be read, in the order of their priority: the lowest number first. */
export class RemoteRegistries {
  readonly #registries: readonly RemoteRegistry[];

  constructor(registries: readonly RemoteRegistry[]) {
    this.#registries = [...registries].sort((a, b) => a.config.priority - b.config.priority);
  }

  get names(): string[] {
    return this.#registries.map(({ config }) => config.name);
  }

  /** Every definition of every registry; one that cannot be reached is left out with a warning. */
  async list(
    kind: Kind,
    asked: Asked,
    isAsked: (config: ConfiguredRegistry) => boolean = () => true,
  ): Promise<Gathered<RemoteVersion>> {
    return this.#gather(async (registry) => {
      const isOnlyCached = asked.onlyCached === true || !isAsked(registry.config);
      const found = await registry.list(kind, { ...asked, onlyCached: isOnlyCached });
      return { ...found, items: this.#listable(registry.config, found.items) };
    });
  }

  async search(query: string, asked: Asked): Promise<Gathered<SearchResult>> {
    return this.#gather(async (registry) => {
      const found = await registry.search(query, asked);
      return { ...found, items: this.#listable(registry.config, found.items) };
    });
  }

  versions(
    kind: Kind,
    name: string,
    asked: Asked,
    isAsked: (config: ConfiguredRegistry) => boolean = () => true,
  ): Promise<Gathered<RemoteVersion>> {
    return this.#first(name, (registry) => {
      const isOnlyCached = asked.onlyCached === true || !isAsked(registry.config);
      return registry.versions(kind, name, { ...asked, onlyCached: isOnlyCached });
    });
  }

  plugin(name: string, version: string | undefined, asked: Asked): Promise<Gathered<RemotePlugin>> {
    return this.#first(name, (registry) => registry.plugin(name, version, asked));
  }

  offers(name: string, asked: Asked): Promise<Gathered<PluginOffers>> {
    return this.#first(name, (registry) => registry.offers(name, { ...asked, isFresh: true }));
  }

  /**
   * The first registry that has a name is the only one it comes from, whatever versions another has: a public name can then
   * not take the place of a private one. One that cannot be reached might have had it, so nothing after it counts either.
   */
  async #first<T>(name: string, ask: (registry: RemoteRegistry) => Promise<Found<T>>): Promise<Gathered<T>> {
    const asked: string[] = [];
    for (const registry of this.#registries) {
      if (!this.#serves(registry.config, name)) continue;
      asked.push(registry.config.name);
      try {
        const found = await ask(registry);
        if (found.items.length > 0) return { ...found, warnings: [], asked };
      } catch (error) {
        if (isAboutToken(error)) throw error;
        return { items: [], stale: false, warnings: [reasonOf(registry, error)], asked };
      }
    }
    return { items: [], stale: false, warnings: [], asked };
  }

  /** What may be listed of a registry. Something that no answer has room for, or that looks like another name, is left out. */
  #listable<T extends Listed>(config: ConfiguredRegistry, items: readonly T[]): T[] {
    return items
      .filter(
        ({ name, version, path = "" }) =>
          isShort(name, maxName) && visible(name) === name && isVersion(version) && isShort(path, 4_096),
      )
      .filter(({ name }) => this.#serves(config, name))
      .map((item) => (isShort(item.description ?? "", maxDescription) ? item : { ...item, description: "" }));
  }

  /** A scope that some registry claims is served by that one alone; a registry that claims scopes serves nothing else. */
  #serves({ scopes, name: own }: ConfiguredRegistry, name: string): boolean {
    const scope = scopeOf(name);
    const claiming = this.#registries.filter(({ config }) => scope !== undefined && config.scopes.includes(scope));
    return claiming.length > 0 ? claiming.some(({ config }) => config.name === own) : scopes.length === 0;
  }

  async #gather<T>(ask: (registry: RemoteRegistry) => Promise<Found<T>>): Promise<Gathered<T>> {
    const outcomes = await Promise.all(
      this.#registries.map(async (registry) => {
        try {
          return await ask(registry);
        } catch (error) {
          return { reason: reasonOf(registry, error), error };
        }
      }),
    );
    const reasons = outcomes.flatMap((outcome) => ("reason" in outcome ? [outcome.reason] : []));
    const errors = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome.error] : []));
    if (errors.length > 0 && errors.length === outcomes.length)
      throw errors.find(isAboutToken) ?? registriesDown(this.names, reasons);
    const found = outcomes.filter((outcome): outcome is Found<T> => "items" in outcome);
    return {
      items: found.flatMap(({ items }) => items),
      stale: found.some(({ stale }) => stale),
      warnings: reasons,
      asked: this.names,
    };
  }
}

function isShort(text: string, max: number): boolean {
  return text.length <= max;
}

/** Trouble with a registry, for a warning; a cancelled call and a broken file go on as errors. */
function reasonOf({ config }: RemoteRegistry, error: unknown): string {
  if (!(error instanceof ForgeError) || error.code === "CANCELLED" || error.code === "INTEGRITY_ERROR") throw error;
  return `${config.name}: ${error.message}`;
}

function isAboutToken(error: unknown): boolean {
  return error instanceof ForgeError && error.code.startsWith("AUTH_");
}
