import { isAbsolute, join, normalize } from "node:path";
import { parseYaml } from "../../../../commons/yaml/parse-yaml.ts";
import { isRecord } from "../../../../kernel/json.ts";
import { realPathOf } from "../../../../platform/files/real-place.ts";
import { listFolder } from "../../../../platform/files/root/list-folder.ts";
import { parsePath } from "../../../../platform/files/root/relative-path.ts";
import { readSmallFile } from "../../../../platform/files/small-file.ts";
import { isFolder } from "../../../../platform/state/project.ts";
import { maxName, maxVersion } from "../definitions/definition.ts";
import { authorIn, lineIn, namesIn, recordIn, textIn } from "../definitions/field-values.ts";
import { noVersion } from "../definitions/versions.ts";
import type { ComponentKind, Fields, Kind, PluginInfo, Source } from "../types.ts";

/** A plugin's manifest, whichever of the kinds it is: Fractary's two, Claude Code's, or Agent Plugins'. */
export type PluginManifest = { name: string; version: string; path: string; fields: Fields };

export type PluginFolder = {
  name: string;
  folder: string;
  manifest: PluginManifest | undefined;
  scope: "global" | "local";
  source: Source;
};

export const maxManifestBytes = 1_048_576;
export const manifestFiles = [
  "plugin.json",
  ".claude-plugin/plugin.json",
  "plugin.yaml",
  ".cursor-plugin/plugin.json",
  ".plugin/plugin.json",
];
const maxPlugins = 2_000;
export const maxDescription = 10_000;

/** The first manifest that has a name; a broken one does not count. */
export function findManifest(folder: string): PluginManifest | undefined {
  for (const file of manifestFiles) {
    const path = join(folder, file);
    const fields = readOwnManifest(folder, path);
    const name = fields && textIn(fields, "name");
    if (fields && name !== undefined && isPluginName(name)) return { name, version: versionIn(fields), path, fields };
  }
  return undefined;
}

function versionIn(fields: Fields): string {
  const version = textIn(fields, "version") ?? noVersion;
  return version.length > maxVersion ? noVersion : version;
}

/** A name that is one plain folder, or two for `@scope/name`, on every system. */
export function isPluginName(name: string): boolean {
  if (!/^(?:@[a-z\d][\w.-]{0,99}\/)?[a-z\d][\w.-]{0,99}$/i.test(name) || name.includes("..")) return false;
  try {
    return parsePath(name).length > 0;
  } catch {
    return false;
  }
}

export function readManifestFile(path: string): Fields | undefined {
  try {
    const text = readSmallFile(path, maxManifestBytes);
    if (text === undefined) return undefined;
    const value = path.endsWith(".json") ? (JSON.parse(text) as unknown) : parseYaml(text).value;
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same of a file in a plugin's folder, and not through a link that leads out of it. */
function readOwnManifest(folder: string, path: string): Fields | undefined {
  return isReallyInside(folder, path) ? readManifestFile(path) : undefined;
}

/** A plugin in a checkout; what a marketplace says of it counts where it has no manifest of its own. */
export type LocalPlugin = { folder: string; listed?: PluginManifest };

/** Plugins that a checkout contains: those of its marketplace, and those below `plugins`. */
export function localPlugins(folder: string): LocalPlugin[] {
  const path = join(folder, ".claude-plugin/marketplace.json");
  const market = readOwnManifest(folder, path);
  const entries = market && Array.isArray(market["plugins"]) ? market["plugins"].slice(0, maxPlugins) : [];
  const base = textIn(recordIn(market ?? {}, "metadata") ?? {}, "pluginRoot") ?? ".";
  const named = entries.filter(isRecord).flatMap((fields): LocalPlugin[] => {
    const [source, name] = [textIn(fields, "source"), textIn(fields, "name")];
    if (source === undefined || name === undefined || !isPluginName(name)) return [];
    const inner = [source, join(base, source)]
      .map((way) => innerPath(folder, way))
      .find((way) => way !== undefined && isFolder(way) && isReallyInside(folder, way));
    return inner === undefined ? [] : [{ folder: inner, listed: { name, version: versionIn(fields), path, fields } }];
  });
  const below = join(folder, "plugins");
  const inPlugins =
    isFolder(below) && isReallyInside(folder, below)
      ? listFolder(below, maxPlugins).entries.filter(({ kind }) => kind === "folder")
      : [];
  const known = new Set(named.map((plugin) => realPathOf(plugin.folder)));
  const others = inPlugins
    .map(({ name }) => ({ folder: join(below, name) }))
    .filter((plugin) => !known.has(realPathOf(plugin.folder)));
  return [...named, ...others];
}

/** A path below a folder; undefined where it leads out of it. */
function innerPath(folder: string, path: string): string | undefined {
  const plain = normalize(path);
  return isAbsolute(plain) || plain.split("/").includes("..") ? undefined : join(folder, plain).replace(/\/$/, "");
}

/** A link in a checkout may lead to the user's own files, which would then be copied as if they were the plugin's. */
function isReallyInside(folder: string, inner: string): boolean {
  const [outer, real] = [realPathOf(folder), realPathOf(inner)];
  return outer !== undefined && (real === outer || real?.startsWith(`${outer}/`) === true);
}

/** Agents and skills that a manifest names by path: a folder, a file or a list of them. */
export function componentPaths(folder: string, manifest: PluginManifest | undefined): { path: string; kind: Kind }[] {
  const { fields = {} } = manifest ?? {};
  return (["agents", "skills", "tools"] as const).flatMap((part) =>
    pathsIn(fields[part]).flatMap((named) => {
      const path = innerPath(folder, named);
      return path === undefined ? [] : [{ path, kind: part === "tools" ? ("tool" as const) : ("agent" as const) }];
    }),
  );
}

function pathsIn(value: unknown): string[] {
  const list = Array.isArray(value) ? value.slice(0, 1_000) : [value];
  return list.filter((item): item is string => typeof item === "string" && item.startsWith("./"));
}

const maxComponents = 2_000;

/** What a plugin is made of, by plain name: what its manifest lists, and what is in its folders. */
export function componentsOf(
  folder: string | undefined,
  fields: Fields,
  found: readonly { name: string; kind: Kind }[],
): PluginInfo["components"] {
  const listField = (field: string) =>
    (namesIn(fields, field) ?? []).filter((name) => !name.startsWith("./") && !name.includes("/"));
  const inFolder = (name: string, ending: RegExp) =>
    folder !== undefined && isFolder(join(folder, name)) && isReallyInside(folder, join(folder, name))
      ? listFolder(join(folder, name), maxComponents).entries.flatMap((entry) =>
          ending.test(entry.name) ? [entry.name.replace(ending, "")] : [],
        )
      : [];
  const ofKind = (kind: Kind) => found.filter((entry) => entry.kind === kind).map(({ name }) => name);
  const unique = (names: string[]) => [...new Set(names)].sort().slice(0, maxComponents);
  const components: Record<ComponentKind, string[]> = {
    agents: unique([...listField("agents"), ...listField("skills"), ...ofKind("agent")]),
    tools: unique([...listField("tools"), ...ofKind("tool")]),
    workflows: unique([...listField("workflows"), ...inFolder("workflows", /\.ya?ml$/)]),
    hooks: unique([...listField("hooks"), ...inFolder("hooks", /\.(?:js|json|sh)$/)]),
    commands: unique([...listField("commands"), ...inFolder("commands", /\.md$/)]),
  };
  return components;
}

/** A manifest's own words, for the answer. */
export function pluginFacts(fields: Fields): Partial<PluginInfo> {
  const repository = lineIn(fields, "repository") ?? lineIn(recordIn(fields, "repository") ?? {}, "url");
  const facts: [keyof PluginInfo, unknown][] = [
    ["description", textIn(fields, "description")?.slice(0, maxDescription)],
    ["author", authorIn(fields)],
    ["license", lineIn(fields, "license")],
    ["homepage", lineIn(fields, "homepage")],
    ["repository", repository],
    ["keywords", namesIn(fields, "keywords") ?? namesIn(fields, "tags")],
    ["dependencies", dependenciesIn(fields)],
  ];
  return Object.fromEntries(facts.filter(([, value]) => value !== undefined));
}

/** A map of names to ranges, or a list of objects with both. */
function dependenciesIn(fields: Fields): Record<string, string> | undefined {
  const map = recordIn(fields, "dependencies");
  const list = fields["dependencies"];
  if (!map && !Array.isArray(list)) return undefined;
  const entries = map
    ? Object.entries(map).filter((entry): entry is [string, string] => typeof entry[1] === "string")
    : (list as unknown[]).flatMap((item): [string, string][] => {
        if (typeof item === "string") return [[item, "*"]];
        const name = isRecord(item) ? textIn(item, "name") : undefined;
        return name === undefined ? [] : [[name, (isRecord(item) && textIn(item, "version")) || "*"]];
      });
  return Object.fromEntries(
    entries.map(([name, range]) => [name.slice(0, maxName + 1), range.slice(0, maxVersion + 1)]),
  );
}

/** Whether a plugin is meant by a name: its own, without its scope, or without the ending `-plugin`. */
export function isPluginNamed(plugin: string, name: string): boolean {
  const plain = plugin.replace(/^@[^/]+\//, "");
  return [plugin, plain, plain.replace(/-plugin$/, "")].includes(name);
}
