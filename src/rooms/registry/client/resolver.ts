import type { Config } from "./config/config.ts";
import type { Definition } from "./definitions/definition.ts";
import { parseReference, type Reference } from "./definitions/reference.ts";
import { compareVersions, highest } from "./definitions/versions.ts";
import { brokenDefinition, definitionNotFound, registriesDown } from "./errors.ts";
import { compareNames, findMatches, groupsOf, sourceOrder } from "./places/definition-groups.ts";
import type { DefinitionStore } from "./places/definition-store.ts";
import type { Entry } from "./places/stored-entry.ts";
import type { RemoteRegistries } from "./sources/remote-registries.ts";
import type { RemoteVersion } from "./sources/remote-registry.ts";
import type {
  DefinitionQuery,
  DefinitionSummary,
  Kind,
  ListQuery,
  Page,
  Reached,
  Source,
  SourceFilter,
} from "./types.ts";

type Parts = { config: Config; store: DefinitionStore; remote: RemoteRegistries };

/** A definition that was found, not read yet. */
export type Resolved = {
  kind: Kind;
  name: string;
  version: string;
  source: Source;
  path: string;
  plugin?: string;
  stale?: true;
  load(): Promise<Definition>;
};

const maxSuggestions = 5_000;
const isConfigured = ({ origin }: { origin: string }) => origin !== "default";

/** Finds definitions: local before global before the registries, the highest version that satisfies. */
export class DefinitionResolver {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list(
    kind: Kind,
    query: ListQuery,
    signal: AbortSignal,
  ): Promise<{ items: DefinitionSummary[] } & Page & Reached> {
    const { tags = [], source = "all", limit = 100, offset = 0 } = query;
    const { store, remote } = this.#parts;
    const wanted = this.#sources(source);
    // What only the built-in list names is not fetched for everyone who lists their own agents.
    const isAsked = source === "stockyard" ? () => true : isConfigured;
    const far = wanted.includes("stockyard") ? await remote.list(kind, { signal }, isAsked) : undefined;
    const others = (far?.items ?? []).map((item): Entry => ({ ...toEntry(item), kind, source: "stockyard" }));
    if (tags.length > 0) await store.all();
    return store.page((listing) => {
      const { list, ofSource } = groupsOf(listing)[kind];
      const [only = "local"] = wanted;
      const own = wanted.length === 1 ? ofSource(only) : list.filter((entry) => wanted.includes(entry.source));
      const isAll = wanted.length === sourceOrder.length;
      const chosen = others.length > 0 ? [...own, ...others].sort(compareNames) : isAll ? list : own;
      const all = tags.length === 0 ? chosen : chosen.filter((entry) => entry.tags?.some((tag) => tags.includes(tag)));
      const page = all.slice(offset, offset + limit);
      const warnings = [...(far?.warnings ?? []), ...listing.warnings];
      const answer = {
        items: page.map(summaryOf),
        ...{ total: all.length, limit, offset },
        ...(far?.stale && others.length > 0 && { stale: true as const }),
        ...(warnings.length > 0 && { warnings }),
      };
      return { shown: page.filter((entry) => entry.source !== "stockyard"), answer };
    });
  }

  async resolve(
    kind: Kind,
    { name, version, source = "all" }: DefinitionQuery,
    signal: AbortSignal,
  ): Promise<Resolved> {
    const reference = parseReference(name, version);
    const wanted = this.#sources(source);
    const near = wanted.filter((one) => one !== "stockyard");
    const found = (await this.#onDisk(kind, reference, near)) ?? (await this.#onDisk(kind, reference, near, true));
    if (found) return found;
    const far = wanted.includes("stockyard") ? await this.#inRegistries(kind, reference, signal) : undefined;
    if (far?.found) return far.found;
    throw await this.#notFound(kind, reference, near, {
      versions: far?.versions ?? [],
      warnings: far?.warnings ?? [],
      source,
    });
  }

  /** An agent or, where there is none of that name, a tool. */
  async resolveAny(query: DefinitionQuery, kind: Kind | undefined, signal: AbortSignal): Promise<Resolved> {
    if (kind !== undefined) return this.resolve(kind, query, signal);
    try {
      return await this.resolve("agent", query, signal);
    } catch (error) {
      return await this.resolve("tool", query, signal).catch(() => Promise.reject(error));
    }
  }

  /** Every definition on disk that a name can mean, best first; none of another source than the first that has one. */
  async onDisk(kind: Kind, name: string): Promise<Entry[]> {
    const { candidates } = parseReference(name);
    return this.#parts.store.page((listing) => {
      const all = findMatches(listing, kind, candidates);
      const first = sourceOrder.find((source) => all.some((entry) => entry.source === source));
      const answer = all.filter((entry) => entry.source === first);
      return { shown: answer, answer };
    });
  }

  /** Every version of a name: those on disk by where they count, then those of the registry that has it; newest first in each. */
  async versions(
    kind: Kind,
    name: string,
    signal: AbortSignal,
  ): Promise<{ versions: { version: string; source: Source; path: string }[] } & Reached> {
    const { candidates, text } = parseReference(name);
    const near = await this.#parts.store.page((listing) => {
      const answer = findMatches(listing, kind, candidates);
      return { shown: answer, answer };
    });
    const { items, stale, warnings } = await this.#parts.remote.versions(kind, text, { signal }, isConfigured);
    const far = items.map(({ version, path }) => ({ version, path, source: "stockyard" as const }));
    const versions = [...near, ...far]
      .map(({ version, source, path }) => ({ version, source, path }))
      .sort(
        (a, b) =>
          sourceOrder.indexOf(a.source) - sourceOrder.indexOf(b.source) || compareVersions(b.version, a.version),
      );
    if (versions.length === 0)
      throw await this.#notFound(kind, parseReference(name), sourceOrder, { versions: [], warnings, source: "all" });
    return { versions, ...(stale && { stale: true as const }), ...(warnings.length > 0 && { warnings }) };
  }

  #sources(filter: SourceFilter): Source[] {
    const { resolution } = this.#parts.config;
    return sourceOrder.filter((source) => (filter === "all" ? resolution[source] : filter === source));
  }

  async #onDisk(
    kind: Kind,
    reference: Reference,
    sources: readonly Source[],
    lookAgain = false,
  ): Promise<Resolved | undefined> {
    const { store } = this.#parts;
    if (sources.length === 0) return undefined;
    if (lookAgain) await store.all();
    const found = await store.page((listing) => {
      const all = findMatches(listing, kind, reference.candidates);
      const best = sources
        .map((source) =>
          highest(
            all.filter((entry) => entry.source === source),
            ({ version }) => version,
            [reference.range],
          ),
        )
        .find((entry) => entry !== undefined);
      return { shown: best ? [best] : [], answer: best };
    });
    return found && this.fromEntry(found);
  }

  fromEntry(entry: Entry): Resolved {
    const { kind, name, version, source, path, plugin } = entry;
    return {
      kind,
      name,
      version,
      source,
      path,
      ...(plugin !== undefined && { plugin }),
      load: () => this.#parts.store.load(entry),
    };
  }

  async #inRegistries(kind: Kind, reference: Reference, signal: AbortSignal) {
    const { items, stale, warnings } = await this.#parts.remote.versions(kind, reference.text, { signal });
    const best = highest(items, ({ version }) => version, [reference.range]);
    const found = best && this.fromRemote(kind, best, stale);
    return { found, warnings, versions: items.map(({ version }) => version) };
  }

  /** Every version of this name in the registry that has it. */
  async inRegistry(kind: Kind, name: string, signal: AbortSignal): Promise<Resolved[]> {
    const { items, stale } = await this.#parts.remote.versions(kind, name, { signal });
    return items.map((item) => this.fromRemote(kind, item, stale));
  }

  fromRemote(kind: Kind, item: RemoteVersion, stale: boolean): Resolved {
    const { name, version, path } = item;
    return {
      kind,
      name,
      version,
      source: "stockyard",
      path,
      ...(stale && { stale: true as const }),
      load: () => item.load(),
    };
  }

  async #notFound(
    kind: Kind,
    { text, range, candidates }: Reference,
    sources: readonly Source[],
    { versions, warnings, source }: { versions: string[]; warnings: string[]; source: SourceFilter },
  ) {
    if (source === "stockyard" && warnings.length > 0) return registriesDown(this.#parts.remote.names, warnings);
    const listing = await this.#parts.store.all();
    const broken = listing.broken.find(
      (file) =>
        file.kind === kind &&
        sources.includes(file.source) &&
        candidates.some(({ name }) => name === file.fallbackName),
    );
    if (broken) {
      const why = listing.warnings.find((warning) => warning.startsWith(broken.path)) ?? "it cannot be read.";
      return brokenDefinition(broken.path, why.slice(why.indexOf(": ") + 2).replace(/\.$/, ""), undefined);
    }
    const onDisk = findMatches(listing, kind, candidates).filter((entry) => sources.includes(entry.source));
    const all = [...new Set([...onDisk.map(({ version }) => version), ...versions])];
    const near = groupsOf(listing)
      [kind].list.slice(0, maxSuggestions)
      .map(({ name }) => name);
    return definitionNotFound(kind, text, { range, versions: range === undefined ? [] : all, near, warnings });
  }
}

function toEntry({ name, version, description, tags, path }: RemoteVersion): Omit<Entry, "kind" | "source"> {
  return { name, version, path, ...(description !== undefined && { description }), ...(tags && { tags }) };
}

function summaryOf({ name, version, description, tags, source, path }: Entry): DefinitionSummary {
  return { name, version, ...(description !== undefined && { description }), ...(tags && { tags }), source, path };
}
