import { isAbsolute, resolve } from "node:path";
import { isRecord } from "../../../../kernel/json.ts";
import { namesIn, recordIn, textIn } from "../definitions/field-values.ts";
import { brokenConfig } from "../errors.ts";
import type { Fields, RegistryType } from "../types.ts";
import { type Config, type ConfiguredRegistry, defaultPriority, defaultTtl, type Origin } from "./config.ts";

/** What one file gives; a section that it has replaces that of weaker files. */
export type Sections = Partial<Pick<Config, "registries" | "resolution" | "other">> & {
  cache?: Partial<Config["cache"]>;
  paths?: Partial<Config["paths"]>;
};

export type ConfigFile = {
  path: string;
  origin: Origin /** The folder that relative paths count from. */;
  base: string;
};

const maxRegistries = 50;
const forgeKeys = ["registry", "lockfile", "updates", "defaults", "features", "organization", "schema_version"];

/** Any of the five shapes, told apart by what is in them. */
export function readSections(value: Fields, file: ConfigFile): Sections {
  const forge = recordIn(value, "forge");
  if (forge) return fromUnified(forge, file);
  if (recordIn(value, "resolvers")) return fromResolvers(value, file);
  if (recordIn(value, "registry") || (file.path.endsWith(".yaml") && forgeKeys.some((key) => key in value)))
    return fromUnified(value, file);
  return fromPlain(value, file);
}

/** `{registries: […], install?, cache?, resolution?}`. */
function fromPlain(value: Fields, file: ConfigFile): Sections {
  const { registries, cache, resolution, agents: _agents, tools: _tools, ...other } = value;
  return {
    ...(registries !== undefined && { registries: registriesIn(registries, file) }),
    ...cacheSection(cache),
    ...(isRecord(resolution) && { resolution: switches(resolution) }),
    ...(Object.keys(other).length > 0 && { other }),
  };
}

/** `registry: {local, global, stockyard}` of a unified file, or of a file of its own. */
function fromUnified(forge: Fields, file: ConfigFile): Sections {
  const { registry, registries, cache, ...other } = forge;
  const parts = isRecord(registry) ? registry : {};
  const [local, own, stockyard] = ["local", "global", "stockyard"].map((name) => recordIn(parts, name) ?? {});
  const url = textIn(stockyard ?? {}, "url");
  const isOn = (part: Fields | undefined) => part?.["enabled"] !== false;
  const remote =
    url === undefined
      ? []
      : [{ name: "stockyard", type: "stockyard", url, enabled: isOn(stockyard), token_env: stockyard?.["token_env"] }];
  const listed = Array.isArray(registries) ? registries : [];
  return {
    ...(listed.length + remote.length > 0 && { registries: registriesIn([...listed, ...remote], file) }),
    ...cacheSection(cache),
    ...(isRecord(registry) && { resolution: { local: isOn(local), global: isOn(own), stockyard: isOn(stockyard) } }),
    ...pathSection(
      { agents: texts(local?.["agents_path"]), tools: texts(local?.["tools_path"]) },
      textIn(own ?? {}, "path"),
      file,
    ),
    ...(Object.keys(other).length > 0 && { other }),
  };
}

/** `{resolvers: {local, global, remote}, cache}`. */
function fromResolvers(value: Fields, file: ConfigFile): Sections {
  const resolvers = recordIn(value, "resolvers") ?? {};
  const [local, own, remote] = ["local", "global", "remote"].map((name) => recordIn(resolvers, name) ?? {});
  const { resolvers: _, cache, version: _version, ...other } = value;
  const paths = texts(local?.["paths"]);
  return {
    ...(remote?.["registries"] !== undefined && { registries: registriesIn(remote["registries"], file) }),
    ...cacheSection(cache),
    resolution: {
      local: local?.["enabled"] !== false,
      global: own?.["enabled"] !== false,
      stockyard: remote?.["enabled"] !== false,
    },
    ...pathSection({ agents: paths, tools: paths }, textIn(own ?? {}, "path"), file),
    ...(Object.keys(other).length > 0 && { other }),
  };
}

function registriesIn(value: unknown, file: ConfigFile): ConfiguredRegistry[] {
  if (!Array.isArray(value)) throw brokenConfig(file.path, "registries must be a list");
  const read = value.slice(0, maxRegistries).map((item, index) => registryFrom(item, index, file));
  const twice = read.find(({ name }, index) => read.findIndex((other) => other.name === name) !== index);
  if (twice) throw brokenConfig(file.path, `two registries have the name ${twice.name}`);
  return read;
}

function registryFrom(item: unknown, index: number, file: ConfigFile): ConfiguredRegistry {
  const fields = typeof item === "string" ? { url: item } : item;
  const wrong = (why: string) => brokenConfig(file.path, `registries.${index} ${why}`);
  if (!isRecord(fields)) throw wrong("must be an object");
  const given = textIn(fields, "url") ?? textIn(fields, "path");
  if (given === undefined) throw wrong("must have a url");
  const { url, type } = readAddress(given, textIn(fields, "type"), file.base, wrong);
  const priority = fields["priority"] ?? defaultPriority;
  if (typeof priority !== "number" || !Number.isFinite(priority)) throw wrong("must have a number as its priority");
  const ttl = fields["cache_ttl"] ?? fields["ttl"] ?? defaultTtl;
  const tokenEnv = textIn(recordIn(fields, "auth") ?? {}, "token_env") ?? textIn(fields, "token_env");
  const scopes = (namesIn(fields, "scopes") ?? []).map((scope) => (scope.startsWith("@") ? scope : `@${scope}`));
  return {
    name: textIn(fields, "name") ?? (type === "folder" ? "folder" : new URL(url).hostname),
    type,
    url,
    priority,
    enabled: fields["enabled"] !== false,
    ttl: typeof ttl === "number" && ttl >= 0 ? ttl : defaultTtl,
    scopes,
    ...(tokenEnv !== undefined && /^\w{1,100}$/.test(tokenEnv) && { tokenEnv }),
    origin: file.origin,
  };
}

/** An address over HTTP, or a folder by its path or a `file:` URL. */
export function readAddress(
  given: string,
  type: string | undefined,
  base: string,
  wrong: (why: string) => Error,
): { url: string; type: RegistryType } {
  if (type !== undefined && !["stockyard", "manifest", "folder"].includes(type))
    throw wrong("must have the type stockyard, manifest or folder");
  if (/^https?:\/\//i.test(given)) {
    if (!URL.canParse(given)) throw wrong("must have a valid url");
    const { url, isSecret } = withoutCredentials(given);
    if (isSecret) throw wrong("must not have a user name, password or token in its url; use auth.token_env");
    if (type === "folder") throw wrong("has a url that is not a folder");
    return {
      url,
      type: (type as RegistryType | undefined) ?? (/\.json$/.test(new URL(url).pathname) ? "manifest" : "stockyard"),
    };
  }
  if (/^[a-z][\w+.-]*:/i.test(given) && !/^file:/i.test(given))
    throw wrong("must have a url that starts with https:// or is a folder");
  const path = given.replace(/^file:(?:\/\/)?/i, "");
  return { url: isAbsolute(path) ? path : resolve(base, path), type: "folder" };
}

function withoutCredentials(given: string): { url: string; isSecret: boolean } {
  const url = new URL(given);
  return {
    url: url.href,
    isSecret: url.username !== "" || url.password !== "" || /(?:token|key|secret|password)=/i.test(url.search),
  };
}

function cacheSection(value: unknown): Pick<Sections, "cache"> {
  if (!isRecord(value)) return {};
  const { ttl } = value;
  const directory = textIn(value, "directory");
  return {
    cache: {
      ...(directory !== undefined && isAbsolute(directory) && { directory }),
      ...(typeof ttl === "number" && ttl >= 0 && { ttl }),
    },
  };
}

function pathSection(
  local: { agents: string[]; tools: string[] },
  ownRegistry: string | undefined,
  { base, origin }: ConfigFile,
): Pick<Sections, "paths"> {
  // A project's file may name folders of the project only.
  const isAllowed = (path: string) => origin === "user" || path.startsWith(`${base}/`);
  const [agents, tools] = [local.agents, local.tools].map((paths) =>
    paths.map((path) => resolve(base, path)).filter(isAllowed),
  );
  if (!agents?.length && !tools?.length && ownRegistry === undefined) return {};
  return {
    paths: { agents: agents ?? [], tools: tools ?? [], ...(ownRegistry !== undefined && { global: ownRegistry }) },
  };
}

function switches(value: Fields): Config["resolution"] {
  return {
    local: value["local"] !== false,
    global: value["global"] !== false,
    stockyard: value["stockyard"] !== false,
  };
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string").slice(0, 50) : [];
}
