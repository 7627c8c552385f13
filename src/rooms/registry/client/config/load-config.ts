import { isAbsolute, join, relative, resolve } from "node:path";
import { parseYaml, YamlFault } from "../../../../commons/yaml/parse-yaml.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { isRecord } from "../../../../kernel/json.ts";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { realPlace } from "../../../../platform/files/real-place.ts";
import { readSmallFile } from "../../../../platform/files/small-file.ts";
import { recordIn, textIn } from "../definitions/field-values.ts";
import { brokenConfig } from "../errors.ts";
import type { Fields } from "../types.ts";
import { type Config, type ConfiguredRegistry, defaultRegistry, defaultTtl } from "./config.ts";
import { type ConfigFile, readSections, type Sections } from "./sections.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Surroundings = { projectRoot: string; home: string; env: Environment };

/** In each of the two `.fractary` folders, strongest first. */
const files = ["config.json", "config.yaml", "forge/config.yaml", "plugins/forge/config.json", "forge.config.json"];
const maxBytes = 262_144;

/** The configuration as it counts: each section from the first file that has it, else the default. */
export function loadConfig(surroundings: Surroundings): Config {
  const { home, env } = surroundings;
  const found = configFiles(surroundings).flatMap((file) => {
    const sections = readFile(file, env);
    return sections ? [{ file, sections }] : [];
  });
  const first = <Name extends keyof Sections>(name: Name) => found.find(({ sections }) => sections[name] !== undefined);
  const taken = new Set<string>();
  const defaulted = new Set<string>();
  const section = <Name extends keyof Sections>(name: Name): Sections[Name] | undefined => {
    const from = first(name);
    if (from) taken.add(from.file.path);
    else defaulted.add(name);
    return from?.sections[name];
  };
  const own = found.flatMap(({ file, sections }) => (file.origin === "user" && sections.registries) || []);
  const strongest = found.find(({ file, sections }) => file.origin === "user" && sections.registries !== undefined);
  const cache = section("cache");
  const paths = section("paths");
  const config: Config = {
    registries: keepOwn(section("registries") ?? [defaultRegistry], own),
    own: strongest?.sections.registries ?? [],
    cache: {
      directory: cacheDirectory(first("cache")?.file, cache?.directory, surroundings),
      ttl: cache?.ttl ?? defaultTtl,
    },
    resolution: section("resolution") ?? { local: true, global: true, stockyard: true },
    paths: { agents: paths?.agents ?? [], tools: paths?.tools ?? [], global: join(home, ".fractary", "registry") },
    other: section("other") ?? {},
    defaultScope: defaultScope(found),
    sources: [],
    defaulted,
  };
  // A project may not say where a user's own files are.
  if (paths?.global !== undefined && first("paths")?.file.origin === "user")
    config.paths.global = expandHome(paths.global, home);
  config.sources = found.map(({ file }) => file.path).filter((path) => taken.has(path));
  return config;
}

/** A project's file cannot have the user's own plugins replaced or removed: its `global` does not count. */
function defaultScope(found: readonly { file: ConfigFile; sections: Sections }[]): Config["defaultScope"] {
  for (const { file, sections } of found) {
    const scope = textIn(recordIn(sections.other ?? {}, "install") ?? {}, "default_scope");
    if (scope === "local" || (scope === "global" && file.origin === "user")) return scope;
  }
  return "local";
}

/**
 * What a project's file says of registries takes nothing from the user's own. One that has the name and the address of the user's is
 * as the user configured it. A scope that the user gave to a registry stays with it, and so does its name, also where the project
 * does not list it: its packages would come from wherever else somebody has published under that name.
 */
function keepOwn(registries: readonly ConfiguredRegistry[], own: readonly ConfiguredRegistry[]): ConfiguredRegistry[] {
  const claiming = own.filter(({ enabled, scopes }) => enabled && scopes.length > 0);
  const [names, scopes] = [new Set(claiming.map(({ name }) => name)), new Set(claiming.flatMap((one) => one.scopes))];
  const kept = registries.flatMap((registry): ConfiguredRegistry[] => {
    if (registry.origin !== "project") return [registry];
    const same = own.find(({ name, url }) => name === registry.name && url === registry.url);
    if (same) return [same];
    const free = registry.scopes.filter((scope) => !scopes.has(scope));
    // Without its scopes, one that had nothing else would serve every name.
    return names.has(registry.name) || (free.length === 0 && registry.scopes.length > 0)
      ? []
      : [{ ...registry, scopes: free }];
  });
  return [...kept, ...claiming.filter((one) => !kept.some(({ name }) => name === one.name))];
}

/** Whether there is any configuration at all. */
export function configFiles({ projectRoot, home, env }: Surroundings): ConfigFile[] {
  const named = env["FRACTARY_CONFIG"];
  if (named) {
    const path = resolve(projectRoot, expandHome(named, home));
    if (!entryAt(path)) throw brokenConfig(path, "FRACTARY_CONFIG names a file that does not exist");
    return [{ path, origin: isInside(path, projectRoot) ? "project" : "user", base: projectRoot }];
  }
  const inFolder = (base: string, origin: ConfigFile["origin"]) =>
    files.map((file) => ({ path: join(base, ".fractary", file), origin, base }));
  // In the home folder itself there is no project.
  const project = realPlace(projectRoot) === realPlace(home) ? [] : inFolder(projectRoot, "project");
  return [...project, ...inFolder(home, "user")];
}

function isInside(path: string, folder: string): boolean {
  const way = relative(realPlace(folder), realPlace(path));
  return !way.startsWith("..") && !isAbsolute(way);
}

function readFile(file: ConfigFile, env: Environment): Sections | undefined {
  const value = readConfigFile(file.path, file.origin === "project" ? file.base : undefined);
  if (!value) return undefined;
  // What a project's file would fill in from the environment could be sent to the project's own addresses.
  return readSections(file.origin === "user" ? (expand(value, env) as Fields) : value, file);
}

/** The object in a configuration file; undefined where there is no file. One of a project must be inside it, links included. */
export function readConfigFile(path: string, project?: string): Fields | undefined {
  if (!entryAt(path)) return undefined;
  if (project !== undefined && !isInside(path, project)) throw brokenConfig(path, "a link leads out of the project");
  const text = readText(path);
  let value: unknown;
  try {
    value = path.endsWith(".json") ? JSON.parse(text) : parseYaml(text, { maxBytes }).value;
  } catch (error) {
    if (error instanceof YamlFault) throw brokenConfig(path, error.message, error.line);
    throw brokenConfig(path, "it is not valid JSON");
  }
  if (value === null || value === undefined) return {};
  if (!isRecord(value)) throw brokenConfig(path, "it is not an object");
  return value;
}

function readText(path: string): string {
  try {
    const text = readSmallFile(path, maxBytes);
    if (text !== undefined) return text;
  } catch (error) {
    if (error instanceof ForgeError) throw error;
    throw brokenConfig(path, "it cannot be read");
  }
  throw brokenConfig(path, `it is not a regular file of at most ${maxBytes} bytes`);
}

function expand(value: unknown, env: Environment): unknown {
  if (typeof value === "string")
    return value.replace(/\$\{(\w{1,100})\}/g, (whole, name: string) => env[name] ?? whole);
  if (Array.isArray(value)) return value.map((item) => expand(item, env));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, expand(item, env)]));
}

function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
}

/** A project may not say where the cache is: it would be written to. */
function cacheDirectory(
  file: ConfigFile | undefined,
  directory: string | undefined,
  { home, env }: Surroundings,
): string {
  const variable = env["FRACTARY_CACHE_DIR"] ?? env["FORGE_CACHE_DIR"];
  if (variable) return expandHome(variable, home);
  return directory !== undefined && file?.origin === "user" ? directory : join(home, ".fractary", "cache");
}
