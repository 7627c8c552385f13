import { join } from "node:path";
import { namesIn, textIn, withoutUndefined } from "../definitions/field-values.ts";
import { parseReference } from "../definitions/reference.ts";
import { compareVersions, isNewer, noVersion, satisfies } from "../definitions/versions.ts";
import { pluginNotFound, registriesDown } from "../errors.ts";
import type { DefinitionStore } from "../places/definition-store.ts";
import type { RemoteRegistries } from "../sources/remote-registries.ts";
import type { PluginInfo, PluginQuery, PluginSummary, Reached, SearchQuery, SearchResult } from "../types.ts";
import { componentsOf, isPluginNamed, type PluginFolder, pluginFacts, readManifestFile } from "./manifest.ts";

type Parts = {
  store: DefinitionStore;
  remote: RemoteRegistries /** The user's registry folder. */;
  registryFolder: string;
};

const maxVersions = 200;

/** Plugins that are installed, and those that registries have. */
export class Plugins {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list(
    { scope = "all", outdated = false }: { scope?: "global" | "local" | "all"; outdated?: boolean },
    signal: AbortSignal,
  ): Promise<{ plugins: PluginSummary[]; total: number } & Reached> {
    const { plugins } = await this.#parts.store.all();
    const warnings: string[] = [];
    const found: PluginSummary[] = [];
    for (const plugin of plugins) {
      if (scope !== "all" && plugin.scope !== scope) continue;
      const version = plugin.manifest?.version ?? noVersion;
      const latest = await this.#latest(plugin.name, outdated ? signal : undefined, warnings);
      const hasUpdate = latest !== undefined && isNewer(latest, version);
      if (outdated && !hasUpdate) continue;
      const summary = { name: plugin.name, version, scope: plugin.scope, path: plugin.folder };
      found.push({ ...summary, ...(latest !== undefined && { hasUpdate, latestVersion: latest }) });
    }
    found.sort((a, b) => (a.name === b.name ? (a.path < b.path ? -1 : 1) : a.name < b.name ? -1 : 1));
    return { plugins: found, total: found.length, ...(warnings.length > 0 && { warnings: [...new Set(warnings)] }) };
  }

  async info(
    { plugin: given, version, remote = false }: PluginQuery,
    signal: AbortSignal,
  ): Promise<PluginInfo & Reached> {
    const { text: name, range } = parseReference(given, version);
    const { plugins, entries } = await this.#parts.store.all();
    const named = plugins.filter((plugin) => plugin.name === name);
    const own = (named.length > 0 ? named : plugins.filter((plugin) => isPluginNamed(plugin.name, name))).sort(
      localFirst,
    );
    const installed = own.find(({ manifest }) => satisfies(manifest?.version ?? noVersion, range));
    const near = plugins.map((plugin) => plugin.name);
    if (remote) return this.#remoteInfo(own[0]?.name ?? name, { range, installed: own[0], near }, signal);
    if (!installed) throw pluginNotFound(name, ["local", "global"], near, range);
    const fields = installed.manifest?.fields ?? {};
    const parts = entries.filter(({ plugin, path }) => plugin === installed.name && path.startsWith(installed.folder));
    return withoutUndefined({
      name: installed.name,
      version: installed.manifest?.version ?? noVersion,
      ...pluginFacts(fields),
      components: componentsOf(installed.folder, fields, parts),
      installed: describeInstalled(installed),
    });
  }

  async search(
    { query, tags = [], limit = 20, offset = 0 }: SearchQuery,
    signal: AbortSignal,
  ): Promise<{ results: SearchResult[]; total: number; query: string } & Reached> {
    const { items, stale, warnings } = await this.#parts.remote.search(query, { signal });
    const fitting = items.filter((item) => tags.length === 0 || item.tags?.some((tag) => tags.includes(tag)));
    return {
      results: fitting.slice(offset, offset + limit),
      total: fitting.length,
      query,
      ...(stale && { stale: true as const }),
      ...(warnings.length > 0 && { warnings }),
    };
  }

  async #remoteInfo(
    name: string,
    { range, installed, near }: { range: string | undefined; installed: PluginFolder | undefined; near: string[] },
    signal: AbortSignal,
  ): Promise<PluginInfo & Reached> {
    const { items, stale, warnings, asked } = await this.#parts.remote.plugin(name, range, { signal });
    const [found] = items;
    if (!found && warnings.length > 0) throw registriesDown(asked, warnings);
    if (!found || !satisfies(found.version, range)) throw pluginNotFound(name, asked, near, range);
    return withoutUndefined({
      name: found.name,
      version: found.version,
      ...pluginFacts(found.fields),
      components: componentsOf(undefined, found.fields, []),
      installed: installed && describeInstalled(installed),
      availableVersions: found.versions.sort((a, b) => compareVersions(b, a)).slice(0, maxVersions),
      stale: stale ? (true as const) : undefined,
    });
  }

  /** From what the user's registry knows; from the registries themselves where a signal is given. */
  async #latest(name: string, signal: AbortSignal | undefined, warnings: string[]): Promise<string | undefined> {
    const known = knownVersions(this.#parts.registryFolder, name);
    if (!signal) return known.at(0);
    const { items, warnings: trouble } = await this.#parts.remote.plugin(name, undefined, { signal });
    warnings.push(...trouble);
    return [...known, ...(items[0] ? [items[0].version, ...items[0].versions] : [])].sort((a, b) =>
      compareVersions(b, a),
    )[0];
  }
}

/** Versions that a package's manifest in the user's registry lists, highest first; withdrawn ones are left out. */
export function knownVersions(registryFolder: string, name: string): string[] {
  if (!/^(?:@[\w.-]+\/)?[\w.-]+$/.test(name) || name.includes("..")) return [];
  const fields = readManifestFile(join(registryFolder, "manifests", `${name}.json`)) ?? {};
  const listed = Array.isArray(fields["versions"]) ? fields["versions"] : [];
  const usable = listed.filter(
    (item) => typeof item !== "object" || item === null || (item as Record<string, unknown>)["status"] !== "deprecated",
  );
  const versions = usable.flatMap((item) =>
    typeof item === "string" ? [item] : (textIn((item ?? {}) as Record<string, unknown>, "version") ?? []),
  );
  const latest = textIn(fields, "latest");
  const all = [
    ...versions,
    ...(latest === undefined ? [] : [latest]),
    ...(namesIn(fields, "installed_versions") ?? []),
  ];
  return [...new Set(all)].sort((a, b) => compareVersions(b, a));
}

function localFirst(a: PluginFolder, b: PluginFolder): number {
  return Number(a.scope === "global") - Number(b.scope === "global");
}

function describeInstalled({ scope, folder, manifest }: PluginFolder): NonNullable<PluginInfo["installed"]> {
  return { scope, path: folder, installedVersion: manifest?.version ?? noVersion };
}
