import { dirname, join } from "node:path";
import { type Definition, type ForkMark, forkMarkIn, versionOf } from "../definitions/definition.ts";
import { DefinitionText } from "../definitions/definition-text.ts";
import { parseDefinition } from "../definitions/parse-definition.ts";
import { parseReference, type Reference } from "../definitions/reference.ts";
import { highest } from "../definitions/versions.ts";
import type { DefinitionStore } from "../places/definition-store.ts";
import type { Entry } from "../places/stored-entry.ts";
import { isPluginNamed, type PluginFolder, readManifestFile } from "../plugins/manifest.ts";
import { knownVersions } from "../plugins/plugins.ts";
import type { ProjectFiles } from "../project-files.ts";
import type { DefinitionResolver, Resolved } from "../resolver.ts";
import type { RemoteRegistries } from "../sources/remote-registries.ts";
import type { Kind } from "../types.ts";
import { baseMissing, forkNotFound } from "./errors.ts";

export type ForkParts = {
  store: DefinitionStore;
  resolver: DefinitionResolver;
  remote: RemoteRegistries;
  files: ProjectFiles;
  registryFolder: string;
};

export type Fork = { entry: Entry; mark: ForkMark };

/** Finds forks, what they were made from, and how far that has come. */
export class ForkFinder {
  readonly #parts: ForkParts;

  constructor(parts: ForkParts) {
    this.#parts = parts;
  }

  async all(): Promise<Fork[]> {
    const { entries, plugins } = await this.#parts.store.all();
    const forks = entries
      .filter(({ source }) => source === "local")
      .flatMap((entry) => {
        const mark = entry.plugin === undefined ? (entry.fork ?? markBeside(entry)) : markOfPlugin(entry, plugins);
        return mark ? [{ entry, mark }] : [];
      });
    return forks.sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1));
  }

  async findNamed(name: string): Promise<Fork> {
    const all = await this.all();
    const found = all.find(({ entry }) => entry.name === name);
    if (!found)
      throw forkNotFound(
        name,
        all.map(({ entry }) => entry.name),
      );
    return found;
  }

  /** The highest version of what was forked that can be had anywhere. */
  async latest(
    { entry, mark }: Fork,
    asked: { signal: AbortSignal; onlyCached?: boolean },
  ): Promise<{ version: string; warnings: string[] }> {
    const { entries } = await this.#parts.store.all();
    const candidates = candidatesOf(mark.name);
    if (candidates.length === 0) return { version: mark.version, warnings: [] };
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
  async base(
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
    const found = await this.upstreamOf(entry, `${mark.name}@${mark.version}`, signal).catch(() => undefined);
    if (!found) throw baseMissing(entry.name, `${mark.name}@${mark.version}`);
    const definition = await found.load();
    return { definition, text: (await this.textOf(found, definition)).toString() };
  }

  async upstreamOf(entry: Entry, reference: string, signal: AbortSignal): Promise<Resolved> {
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

  async textOf({ source, path, kind }: Resolved, definition: Definition): Promise<DefinitionText> {
    const isFile = source !== "stockyard";
    if (isFile) return DefinitionText.of(await this.#parts.store.text(path), definition);
    return DefinitionText.render(
      definition.fields,
      kind,
      definition.form === "yaml" || definition.form === "mcp-server" ? "yaml" : "markdown",
    );
  }
}

/** Where the text that was forked is kept. */
export function baseFile(kind: Kind, name: string, extension: string): string {
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

/** What a fork says it was made from need not be a name. */
function candidatesOf(name: string): Reference["candidates"] {
  try {
    return parseReference(name).candidates;
  } catch {
    return [];
  }
}
