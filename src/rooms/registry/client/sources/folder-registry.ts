import type { Cache } from "../cache.ts";
import type { ConfiguredRegistry } from "../config/config.ts";
import { namesIn } from "../definitions/field-values.ts";
import { highest, highestOfEach, noVersion } from "../definitions/versions.ts";
import { untrustedRegistry } from "../errors.ts";
import type { PluginOffer, PluginOffers } from "../install/offers.ts";
import { readPluginFolder } from "../packages/read-folder.ts";
import { DefinitionStore } from "../places/definition-store.ts";
import { AllowedRoots } from "../places/roots.ts";
import type { Entry } from "../places/stored-entry.ts";
import { componentsOf, pluginFacts } from "../plugins/manifest.ts";
import type { Kind, SearchResult } from "../types.ts";
import {
  type Asked,
  type Found,
  matches,
  type RemotePlugin,
  type RemoteRegistry,
  type RemoteVersion,
} from "./remote-registry.ts";

/** A folder on this machine: a checkout of plugins, a marketplace, or agents and tools. */
export class FolderRegistry implements RemoteRegistry {
  readonly config: ConfiguredRegistry;
  readonly #store: DefinitionStore;
  readonly #isTrusted: () => Promise<boolean>;

  constructor(config: ConfiguredRegistry, cache: Cache, isTrusted: () => Promise<boolean>) {
    this.config = config;
    this.#isTrusted = isTrusted;
    const root = { source: "stockyard" as const, folder: config.url };
    const roots = (["fractary", "project", "client"] as const).map((layout) => ({ ...root, layout }));
    this.#store = new DefinitionStore(roots, new AllowedRoots([config.url]), cache);
  }

  async list(kind: Kind, _asked?: Asked): Promise<Found<RemoteVersion>> {
    const best = highestOfEach(await this.#entries(kind));
    return { items: best.map((entry) => this.#remote(entry)), stale: false };
  }

  async versions(kind: Kind, name: string): Promise<Found<RemoteVersion>> {
    const entries = await this.#entries(kind);
    return { items: entries.filter((entry) => entry.name === name).map((entry) => this.#remote(entry)), stale: false };
  }

  async plugin(name: string, version?: string): Promise<Found<RemotePlugin>> {
    const { plugins, entries } = await this.#store.all();
    const own = plugins.filter((plugin) => plugin.name === name);
    const found = highest(own, ({ manifest }) => manifest?.version ?? noVersion, [version]);
    if (!found) return { items: [], stale: false };
    const fields = found.manifest?.fields ?? {};
    const components = componentsOf(
      found.folder,
      fields,
      entries.filter(({ plugin }) => plugin === name),
    );
    const versions = own.map(({ manifest }) => manifest?.version ?? noVersion);
    return {
      stale: false,
      items: [
        {
          name,
          version: found.manifest?.version ?? noVersion,
          versions,
          fields: { ...fields, ...components },
          path: found.folder,
        },
      ],
    };
  }

  /** Whatever is in the folder now; its hash pins what was installed from it. A clone cannot put itself before the user's registries. */
  async offers(name: string): Promise<Found<PluginOffers>> {
    if (this.config.origin === "project" && !(await this.#isTrusted())) throw untrustedRegistry(this.config.name);
    const { plugins } = await this.#store.all();
    const offers = plugins
      .filter((plugin) => plugin.name === name)
      .map(({ folder, manifest }): PluginOffer => {
        const { fields = {}, version = noVersion } = manifest ?? {};
        return {
          version,
          dependencies: async () => pluginFacts(fields).dependencies ?? {},
          fetch: async () => {
            const { integrityOfFiles } = await import("../packages/archive.ts");
            const files = await readPluginFolder(folder, { name, version, fields });
            return { files, integrity: integrityOfFiles(files) };
          },
        };
      });
    return { items: offers.length > 0 ? [{ name, registry: this.config, offers }] : [], stale: false };
  }

  async search(query: string): Promise<Found<SearchResult>> {
    const { plugins } = await this.#store.all();
    const results = plugins.map(({ name, manifest }): SearchResult => {
      const { description, author } = pluginFacts(manifest?.fields ?? {});
      const tags = namesIn(manifest?.fields ?? {}, "keywords") ?? namesIn(manifest?.fields ?? {}, "tags");
      const version = manifest?.version ?? noVersion;
      const said = {
        ...(description !== undefined && { description }),
        ...(author !== undefined && { author }),
        ...(tags && { tags }),
      };
      return { name, version, ...said, registry: this.config.name };
    });
    return { items: results.filter((result) => matches(query, result)), stale: false };
  }

  async #entries(kind: Kind): Promise<Entry[]> {
    return (await this.#store.all()).entries.filter((entry) => entry.kind === kind);
  }

  #remote(entry: Entry): RemoteVersion {
    const { name, version, description, tags, path } = entry;
    const said = { ...(description !== undefined && { description }), ...(tags && { tags }) };
    return { name, version, ...said, path, load: () => this.#store.load(entry) };
  }
}
