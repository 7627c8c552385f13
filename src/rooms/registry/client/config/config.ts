import type { RegistryType } from "../types.ts";

/** Whose words a setting is: the user's own, the project's, which anyone may have written, or ours. */
export type Origin = "user" | "project" | "default";

export type ConfiguredRegistry = {
  name: string;
  type: RegistryType;
  url: string;
  priority: number;
  enabled: boolean;
  /** Seconds. */
  ttl: number;
  /** Names in these scopes come from here and from nowhere else; the registry is asked for nothing else. */
  scopes: string[];
  tokenEnv?: string;
  origin: Origin;
};

export type Config = {
  /** In file order. */
  registries: ConfiguredRegistry[];
  /** Those of the user's own configuration, whatever the project names. */
  own: ConfiguredRegistry[];
  cache: { directory: string; ttl: number };
  resolution: { local: boolean; global: boolean; stockyard: boolean };
  /** Folders besides the usual ones. */
  paths: { agents: string[]; tools: string[]; global: string };
  /** The rest of the files, as they are: organization, install, defaults and so on. */
  other: Record<string, unknown>;
  /** Where plugins are installed unless that is said. */
  defaultScope: "global" | "local";
  /** Files that something was taken from, strongest first. */
  sources: string[];
  /** Sections that no file has. */
  defaulted: Set<string>;
};

export const defaultTtl = 3_600;
export const defaultPriority = 10;

export const defaultRegistry: ConfiguredRegistry = {
  name: "fractary-core",
  type: "manifest",
  url: "https://raw.githubusercontent.com/fractary/plugins/main/registry.json",
  priority: 1,
  enabled: true,
  ttl: defaultTtl,
  scopes: [],
  origin: "default",
};
