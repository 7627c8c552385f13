import { posix } from "node:path";
import { findProgram } from "../../../platform/exec/search-path.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import type { ConfigPlace } from "../../../platform/state/config-file.ts";
import type { Client, ClientFile, Scope } from "./clients.ts";
import type { LaunchFacts } from "./launch.ts";

/** Where the setup takes place. */
export type Surroundings = LaunchFacts & {
  /** The project's folder. */
  root: string;
  /** Where Forge keeps the project's state. */
  stateDir: string;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** This copy is in npx's cache and may be gone tomorrow. */
  isFromNpx: boolean;
};

const settingsFolders: Partial<Record<NodeJS.Platform, { variable?: string; path: string }>> = {
  darwin: { path: "Library/Application Support" },
  win32: { variable: "APPDATA", path: "AppData/Roaming" },
};

/** Where programs keep a person's settings on this system, and the way there from a folder that is sure to exist. */
function settingsFolder({ platform, home, env }: Surroundings): { base: string; path: string } {
  const { variable, path } = settingsFolders[platform] ?? { variable: "XDG_CONFIG_HOME", path: ".config" };
  const named = variable === undefined ? undefined : env[variable];
  return named ? { base: named, path: "" } : { base: home, path: `${path}/` };
}

export function findConfigPlace(surroundings: Surroundings, { base, path, variable }: ClientFile): ConfigPlace {
  const named = variable && surroundings.env[variable.name];
  if (named) return { base: named, path: variable.path, owner: "person" };
  if (base === "project") return { base: surroundings.root, path, owner: "project" };
  if (base === "home") return { base: surroundings.home, path, owner: "person" };
  const settings = settingsFolder(surroundings);
  return { base: settings.base, path: settings.path + path, owner: "person" };
}

/** Why a client seems to be in use here; undefined if nothing shows it. A few `stat` calls, no more. */
export function signOf(surroundings: Surroundings, { signs }: Client): string | undefined {
  const has = (base: string, paths: string[] = []) =>
    paths.find((path) => entryAt(posix.join(base, path)) !== undefined);
  const inProject = has(surroundings.root, signs.project);
  if (inProject) return `the project has ${inProject}`;
  const program = signs.programs?.find((name) => findProgram(name, surroundings.env));
  if (program) return `\`${program}\` is installed`;
  const inHome = has(surroundings.home, signs.home);
  if (inHome) return `you have ~/${inHome}`;
  const settings = settingsFolder(surroundings);
  const inSettings = has(posix.join(settings.base, settings.path), signs.settings);
  return inSettings && "you have settings for it";
}

/** A file's name for the person: relative to the project, or from their home. */
export function nameOf({ root, home }: Surroundings, { base, path }: ConfigPlace): string {
  if (base === root) return path;
  return base === home ? `~/${path}` : posix.join(base, path);
}

/** The scope to use: the one asked for, else the project's own file where the client has one. */
export function scopeOf({ files }: Client, wanted: Scope | undefined): Scope | undefined {
  if (wanted !== undefined) return files[wanted] ? wanted : undefined;
  return files.project ? "project" : "user";
}
