import { join } from "node:path";
import { ForgeError } from "../../../../kernel/errors.ts";
import { readConfig, writeConfig } from "../../../../platform/state/config-file.ts";
import { brokenConfig, wrongCreation } from "../errors.ts";
import type { Fields } from "../types.ts";
import { type Config, type ConfiguredRegistry, defaultPriority, defaultRegistry, defaultTtl } from "./config.ts";
import { readConfigFile } from "./load-config.ts";
import { type ConfigFile, readAddress, readSections } from "./sections.ts";

const file = ".fractary/config.json";

export type ConfigScope = "project" | "user";
export type Changed = { path: string; dryRun: boolean; text: string };

export type NewRegistry = {
  name: string;
  url: string;
  type?: string | undefined;
  priority?: number | undefined;
  scopes?: string[] | undefined;
  tokenEnv?: string | undefined;
};

/** Writes `.fractary/config.json`, the one shape that is written. Whatever else is in it stays. */
export class ConfigEditor {
  readonly #folders: Record<ConfigScope, string>;

  constructor(folders: { projectRoot: string; home: string }) {
    this.#folders = { project: folders.projectRoot, user: folders.home };
  }

  /** A configuration with the defaults written out. */
  async init(options: {
    scope: ConfigScope;
    organization?: string | undefined;
    registry?: string | undefined;
    force: boolean;
    dryRun: boolean;
  }): Promise<Changed> {
    const { scope, organization, registry, force, dryRun } = options;
    const own = registry === undefined ? [] : [this.#teamRegistry(registry, scope)];
    return this.#change(scope, dryRun, (before) => {
      if (before && !force)
        throw wrongCreation(`${join(this.#folders[scope], file)} already exists.`, "Use --force to replace it.");
      return {
        ...(organization !== undefined && { organization }),
        registries: [...own, defaultRegistry].map(formatRegistry),
        install: {
          default_scope: scope === "user" ? "global" : "local",
          verify_checksums: true,
          auto_install_dependencies: true,
        },
      };
    });
  }

  #teamRegistry(given: string, scope: ConfigScope): ConfiguredRegistry {
    const wrong = (why: string) =>
      wrongCreation(`The registry ${why}.`, "Give an address such as https://registry.example.com.");
    const address = readAddress(given, undefined, this.#folders[scope], wrong);
    return { ...defaultRegistry, name: "team", ...address, priority: 1, origin: "user" };
  }

  async addRegistry(
    registry: NewRegistry,
    { scope, config, dryRun }: { scope: ConfigScope; config: Config; dryRun: boolean },
  ): Promise<Changed> {
    const { name, url: given, type, priority = defaultPriority, scopes = [], tokenEnv } = registry;
    if (!/^[\w.-]{1,100}$/.test(name))
      throw wrongCreation(
        `"${name.slice(0, 100)}" cannot be the name of a registry.`,
        "Use letters, digits, dots and hyphens.",
      );
    const wrong = (why: string) =>
      wrongCreation(`The registry ${why}.`, "Give an address such as https://registry.example.com, or a folder.");
    const address = readAddress(given, type, this.#folders[scope], wrong);
    return this.#change(scope, dryRun, (before, file) => {
      const known = listRegistries(before, config, file);
      if (known.some((other) => other.name === name))
        throw new ForgeError("CONFLICT_ERROR", `There is already a registry named "${name}".`, {
          next: ["Choose another name, or remove that registry first."],
        });
      const added: ConfiguredRegistry = {
        name,
        ...address,
        priority,
        enabled: true,
        ttl: defaultTtl,
        scopes,
        origin: "user",
        ...(tokenEnv !== undefined && { tokenEnv }),
      };
      return { ...before, registries: [...known.map(({ item }) => item), formatRegistry(added)] };
    });
  }

  async removeRegistry(
    name: string,
    { scope, config, dryRun }: { scope: ConfigScope; config: Config; dryRun: boolean },
  ): Promise<Changed> {
    return this.#change(scope, dryRun, (before, file) => {
      const known = listRegistries(before, config, file);
      if (!known.some((other) => other.name === name)) {
        const names = known.map((other) => other.name).join(", ") || "none";
        throw new ForgeError("NOT_FOUND", `No registry is named "${name.slice(0, 100)}". Configured: ${names}.`, {
          next: [{ tool: "fractary_forge_config_registry_list", why: "to see all registries" }],
        });
      }
      return { ...before, registries: known.filter((other) => other.name !== name).map(({ item }) => item) };
    });
  }

  async #change(
    scope: ConfigScope,
    dryRun: boolean,
    change: (before: Fields | undefined, file: ConfigFile) => Fields,
  ): Promise<Changed> {
    const base = this.#folders[scope];
    const place = {
      base,
      path: file,
      owner: scope === "user" ? ("person" as const) : ("project" as const),
      mayBeLinked: scope === "user",
    };
    const path = join(base, file);
    const found = readConfig(place);
    const before = found.text === undefined ? undefined : readConfigFile(path);
    if (before && before["registries"] !== undefined && !Array.isArray(before["registries"]))
      throw brokenConfig(path, "registries must be a list");
    const text = `${JSON.stringify(change(before, { base, path, origin: scope }), undefined, 2)}\n`;
    if (!dryRun) await writeConfig(place, found, text);
    return { path, dryRun, text };
  }
}

type Listed = { name: string; item: unknown };

/**
 * The file's own, as they are. A file that has none gets those that count at the moment, so that writing one list does not drop
 * what another file had; but never does a project's registry get into the user's own file.
 */
function listRegistries(before: Fields | undefined, config: Config, { base, path, origin }: ConfigFile): Listed[] {
  const own = before?.["registries"];
  if (Array.isArray(own)) {
    const { registries = [] } = readSections({ registries: own }, { base, path, origin });
    return own.map((item: unknown, index) => ({ name: registries[index]?.name ?? "", item }));
  }
  return config.registries
    .filter((registry) => origin === "project" || registry.origin !== "project")
    .map((registry) => ({ name: registry.name, item: formatRegistry(registry) }));
}

function formatRegistry({ name, type, url, enabled, priority, ttl, scopes, tokenEnv }: ConfiguredRegistry): Fields {
  return {
    name,
    type,
    url,
    enabled,
    priority,
    cache_ttl: ttl,
    ...(scopes.length > 0 && { scopes }),
    ...(tokenEnv !== undefined && { auth: { type: "bearer", token_env: tokenEnv } }),
  };
}
