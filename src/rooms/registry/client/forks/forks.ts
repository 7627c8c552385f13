import { dirname, join } from "node:path";
import { diffLines, formatHunks } from "../../../../commons/diff/line-diff.ts";
import { type Definition, type ForkMark, forkMarkIn, versionOf } from "../definitions/definition.ts";
import { DefinitionText } from "../definitions/definition-text.ts";
import { parseDefinition } from "../definitions/parse-definition.ts";
import { parseReference } from "../definitions/reference.ts";
import { highest, isBreakingStep, isNewer } from "../definitions/versions.ts";
import { alreadyThere, baseMissing, forkNotFound, mergeConflict, wrongCreation } from "../errors.ts";
import type { DefinitionStore, Entry } from "../places/definition-store.ts";
import { isPluginNamed, type PluginFolder, readManifestFile } from "../plugins/manifest.ts";
import { knownVersions } from "../plugins/plugins.ts";
import type { ProjectFiles } from "../project-files.ts";
import type { DefinitionResolver, Resolved } from "../resolver.ts";
import type { RemoteRegistries } from "../sources/remote-registries.ts";
import type { ForkDiff, ForkInfo, ForkSummary, ForkUpdate, Kind, Reached } from "../types.ts";
import { compareFields } from "./compare-fields.ts";
import { mergeDefinition } from "./merge-definition.ts";
import type { Strategy } from "./merge-text.ts";

type Parts = {
  store: DefinitionStore;
  resolver: DefinitionResolver;
  remote: RemoteRegistries;
  files: ProjectFiles;
  registryFolder: string;
};

type Fork = { entry: Entry; mark: ForkMark };

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

/** Copies of definitions that are changed here and follow their upstream. */
export class Forks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list(type: Kind | "all", signal: AbortSignal): Promise<{ forks: ForkSummary[]; total: number }> {
    const forks: ForkSummary[] = [];
    for (const fork of await this.#all()) {
      if (type !== "all" && fork.entry.kind !== type) continue;
      const latest = await this.#latest(fork, { signal, onlyCached: true });
      forks.push(summaryOf(fork, latest.version));
    }
    return { forks, total: forks.length };
  }

  async info(name: string, signal: AbortSignal): Promise<ForkInfo & Reached> {
    const fork = await this.#named(name);
    const { version, warnings } = await this.#latest(fork, { signal });
    const { upstream, ...summary } = summaryOf(fork, version);
    const { createdAt, mergedAt } = fork.mark;
    return {
      ...summary,
      upstream: { ...upstream, currentVersion: version },
      createdAt,
      ...(mergedAt !== undefined && { lastMerged: mergedAt }),
      ...(warnings.length > 0 && { warnings }),
    };
  }

  async diff(name: string, format: "unified" | "json", signal: AbortSignal): Promise<ForkDiff & Reached> {
    const fork = await this.#named(name);
    const [base, local] = [await this.#base(fork, signal), await this.#parts.store.load(fork.entry)];
    const latest = await this.#latest(fork, { signal });
    const differences = compareFields(base.definition.fields, local.fields);
    const count = (type: string) => differences.filter(({ changeType }) => changeType === type).length;
    const text = format === "unified" ? unified(base.text, await this.#parts.store.text(fork.entry.path)) : undefined;
    return {
      name: fork.entry.name,
      upstreamVersion: fork.mark.version,
      upstreamLatest: latest.version,
      localVersion: fork.entry.version,
      differences,
      summary: { added: count("added"), removed: count("removed"), modified: count("modified") },
      ...(text !== undefined && { diff: text }),
      ...(latest.warnings.length > 0 && { warnings: latest.warnings }),
    };
  }

  async check(
    name: string | undefined,
    signal: AbortSignal,
  ): Promise<{ updates: ForkUpdate[]; total: number; hasUpdates: boolean } & Reached> {
    const forks = name === undefined ? await this.#all() : [await this.#named(name)];
    const updates: ForkUpdate[] = [];
    const warnings: string[] = [];
    for (const fork of forks) {
      const latest = await this.#latest(fork, { signal });
      warnings.push(...latest.warnings);
      if (!isNewer(latest.version, fork.mark.version)) continue;
      const { name: own, kind, version } = fork.entry;
      const breakingChanges =
        isBreakingStep(fork.mark.version, latest.version) || (await this.#removesFields(fork, latest.version, signal));
      updates.push({ name: own, type: kind, localVersion: version, upstreamVersion: latest.version, breakingChanges });
    }
    return {
      updates,
      total: updates.length,
      hasUpdates: updates.length > 0,
      ...(warnings.length > 0 && { warnings: [...new Set(warnings)] }),
    };
  }

  /** Copies a definition of a registry, of a plugin or of the user's own into the project, with where it came from. */
  async create(
    request: {
      source: string;
      name?: string | undefined;
      type?: Kind | undefined;
      force?: boolean | undefined;
      dryRun?: boolean | undefined;
    },
    signal: AbortSignal,
  ): Promise<ForkCreated> {
    const { source, force = false, dryRun = false } = request;
    const upstream = await this.#parts.resolver.resolveAny({ name: source }, request.type, signal);
    const name = request.name ?? upstream.name.replace(/^@[^/]+\//, "");
    if (!/^[a-z][a-z0-9-]{0,99}$/i.test(name))
      throw wrongCreation(
        `"${name.slice(0, 100)}" cannot be the name of a fork.`,
        "Use letters, digits and hyphens, starting with a letter.",
      );
    const definition = await upstream.load();
    const text = await this.#textOf(upstream, definition);
    const base = text.toString();
    text.set(["name"], name);
    writeMark(text, { name: upstream.name, version: upstream.version, createdAt: new Date().toISOString() });
    const { kind } = upstream;
    const file = `${kind}s/${name}.${text.extension}`;
    const path = this.#parts.files.pathOf(file);
    if (!force && (await this.#parts.files.exists(file))) throw alreadyThere(`The ${kind} ${name}`, path);
    if (!dryRun) {
      await this.#parts.files.write(baseFile(kind, name, text.extension), base);
      await this.#parts.files.write(file, text.toString());
    }
    return { name, type: kind, path, upstream: { name: upstream.name, version: upstream.version }, dryRun };
  }

  /** Brings the changes of a newer upstream into a fork. A conflict changes nothing unless `manual` asks for markers. */
  async merge(
    request: {
      name: string;
      upstream?: string | undefined;
      strategy?: Strategy | undefined;
      base?: string | undefined;
      dryRun?: boolean | undefined;
    },
    signal: AbortSignal,
  ): Promise<MergeResult> {
    const { strategy = "auto", dryRun = false } = request;
    const fork = await this.#named(request.name);
    const mark = request.base === undefined ? fork.mark : { ...fork.mark, version: request.base };
    const base = await this.#base({ ...fork, mark }, signal, request.base !== undefined);
    const latest = request.upstream ?? `${mark.name}@${(await this.#latest(fork, { signal })).version}`;
    const upstream = await this.#upstreamOf(fork.entry, latest, signal);
    const { name, path } = fork.entry;
    if (upstream.version === mark.version) {
      const text = await this.#parts.store.text(path);
      return { name, path, from: mark.version, to: mark.version, changed: [], conflicts: [], dryRun, text };
    }
    const [local, theirs] = [await this.#parts.store.load(fork.entry), await upstream.load()];
    const text = DefinitionText.of(await this.#parts.store.text(fork.entry.path), local);
    const { changed, conflicts } = mergeDefinition(
      text,
      { base: base.definition.fields, local: local.fields, upstream: theirs.fields },
      strategy,
    );
    if (conflicts.length > 0 && strategy !== "manual") throw mergeConflict(fork.entry.name, conflicts);
    writeMark(text, { ...fork.mark, version: upstream.version, mergedAt: new Date().toISOString() });
    if (!dryRun) {
      await this.#parts.files.write(
        baseFile(fork.entry.kind, fork.entry.name, text.extension),
        (await this.#textOf(upstream, theirs)).toString(),
      );
      await this.#parts.files.writeAt(fork.entry.path, text.toString());
    }
    return { name, path, from: mark.version, to: upstream.version, changed, conflicts, dryRun, text: text.toString() };
  }

  async #all(): Promise<Fork[]> {
    const { entries, plugins } = await this.#parts.store.all();
    const forks = entries
      .filter(({ source }) => source === "local")
      .flatMap((entry) => {
        const mark = entry.plugin === undefined ? (entry.fork ?? markBeside(entry)) : markOfPlugin(entry, plugins);
        return mark ? [{ entry, mark }] : [];
      });
    return forks.sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1));
  }

  async #named(name: string): Promise<Fork> {
    const all = await this.#all();
    const found = all.find(({ entry }) => entry.name === name);
    if (!found)
      throw forkNotFound(
        name,
        all.map(({ entry }) => entry.name),
      );
    return found;
  }

  /** The highest version of what was forked that can be had anywhere. */
  async #latest(
    { entry, mark }: Fork,
    asked: { signal: AbortSignal; onlyCached?: boolean },
  ): Promise<{ version: string; warnings: string[] }> {
    const { entries } = await this.#parts.store.all();
    const { candidates } = parseReference(mark.name);
    const near = entries.filter(
      (other) =>
        other.kind === entry.kind &&
        other.path !== entry.path &&
        candidates.some(
          ({ name, plugin }) =>
            name === other.name &&
            (plugin === undefined || (other.plugin !== undefined && isPluginNamed(other.plugin, plugin))),
        ),
    );
    const { items, warnings } = await this.#parts.remote.versions(entry.kind, mark.name, asked);
    const versions = [
      mark.version,
      ...near.map(({ version }) => version),
      ...items.map(({ version }) => version),
      ...knownVersions(this.#parts.registryFolder, mark.name),
    ];
    return { version: highest(versions, (version) => version, []) ?? mark.version, warnings };
  }

  /** The text that was forked: the copy that was kept then, or else that version from where it came from. */
  async #base(
    { entry, mark }: Fork,
    signal: AbortSignal,
    isNamed = false,
  ): Promise<{ definition: Definition; text: string }> {
    for (const extension of isNamed ? [] : ["yaml", "md"]) {
      const file = baseFile(entry.kind, entry.name, extension);
      const text = await this.#parts.files.read(file);
      if (text === undefined) continue;
      const definition = parseDefinition(text, { path: file, kind: entry.kind, fallbackName: mark.name });
      if (versionOf(definition.fields) === mark.version || definition.version === mark.version)
        return { definition, text };
    }
    const found = await this.#upstreamOf(entry, `${mark.name}@${mark.version}`, signal).catch(() => undefined);
    if (!found) throw baseMissing(entry.name, `${mark.name}@${mark.version}`);
    const definition = await found.load();
    return { definition, text: (await this.#textOf(found, definition)).toString() };
  }

  async #upstreamOf(entry: Entry, reference: string, signal: AbortSignal): Promise<Resolved> {
    const { resolver } = this.#parts;
    const query = { name: reference };
    try {
      return await resolver.resolve(entry.kind, { ...query, source: "global" }, signal);
    } catch {
      const own = await resolver.resolve(entry.kind, { ...query, source: "local" }, signal).catch(() => undefined);
      if (own && own.path !== entry.path) return own;
      return await resolver.resolve(entry.kind, { ...query, source: "stockyard" }, signal);
    }
  }

  async #textOf({ source, path, kind }: Resolved, definition: Definition): Promise<DefinitionText> {
    const isFile = source !== "stockyard";
    if (isFile) return DefinitionText.of(await this.#parts.store.text(path), definition);
    return DefinitionText.render(
      definition.fields,
      kind,
      definition.form === "yaml" || definition.form === "mcp-server" ? "yaml" : "markdown",
    );
  }

  /** Whether a newer upstream lacks something that the forked one had. */
  async #removesFields(fork: Fork, version: string, signal: AbortSignal): Promise<boolean> {
    try {
      const base = await this.#base(fork, signal);
      const upstream = await this.#upstreamOf(fork.entry, `${fork.mark.name}@${version}`, signal);
      const changes = compareFields(base.definition.fields, (await upstream.load()).fields);
      return changes.some(
        ({ field, changeType }) =>
          changeType === "removed" && /^(?:parameters|tools|llm|implementation|input_schema)/.test(field),
      );
    } catch {
      return false;
    }
  }
}

function summaryOf({ entry, mark }: Fork, latest: string): ForkSummary {
  return {
    name: entry.name,
    type: entry.kind,
    upstream: { name: mark.name, version: mark.version },
    localVersion: entry.version,
    path: entry.path,
    hasUpstreamUpdate: isNewer(latest, mark.version),
  };
}

function baseFile(kind: Kind, name: string, extension: string): string {
  return `forks/${kind}s/${name}.${extension}`;
}

/** Where the original's commands kept it: in a file beside the definition. */
function markBeside({ path }: Entry): ForkMark | undefined {
  if (!/\/(?:agent|tool)\.(?:md|ya?ml)$/.test(path)) return undefined;
  return forkMarkIn(readManifestFile(join(dirname(path), "metadata.json")) ?? {});
}

/** A plugin that was forked as one says so in its manifest; each of its parts follows the upstream plugin's. */
function markOfPlugin(entry: Entry, plugins: readonly PluginFolder[]): ForkMark | undefined {
  const plugin = plugins.find(({ name, folder }) => name === entry.plugin && entry.path.startsWith(`${folder}/`));
  const mark = plugin?.manifest && forkMarkIn(plugin.manifest.fields);
  if (!mark) return undefined;
  const upstream = mark.name.startsWith("@") ? mark.name : `@${mark.name}`;
  return { ...mark, name: `${upstream}/${entry.name}` };
}

function writeMark(text: DefinitionText, { name, version, createdAt, mergedAt }: ForkMark): void {
  text.delete(["fork"]);
  text.set(["fork_of"], {
    name,
    version,
    forked_at: createdAt,
    ...(mergedAt !== undefined && { merged_at: mergedAt }),
  });
}

const maxDiffLength = 100_000;

function unified(base: string, local: string): string {
  const { hunks } = diffLines(base, local);
  return ["--- upstream", "+++ local", formatHunks(hunks, { maxLength: maxDiffLength })].join("\n");
}
