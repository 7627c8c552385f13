import { posix } from "node:path";

/** How a client starts a server. */
export type Launch = { command: string; args: string[] };

/** What is known of this machine and this copy of Forge. */
export type LaunchFacts = {
  platform: NodeJS.Platform;
  version: string;
  /** The name under which the search path has Forge itself; another program may be called `forge` too. */
  nameOnPath: "forge" | "forge-mcp" | undefined;
  node: string;
  script: string;
};

export type LaunchWish = {
  /** A project's file is shared with people who have Forge elsewhere: no path of this machine belongs there. */
  isShared: boolean;
  npx: boolean;
  /** `npx` was asked for by the person: an entry that starts Forge in another way is changed. */
  isNpxAsked: boolean;
  /** The client starts servers without a search path, or with one of its own. */
  withoutPath: boolean;
  /** The client starts servers in no project's folder, so the entry must name one. */
  project: string | undefined;
};

const npxPrefix: Partial<Record<NodeJS.Platform, string[]>> = { win32: ["cmd", "/c"] };

export function launchFor(facts: LaunchFacts, wish: LaunchWish): Launch {
  const [command = "", ...args] = [
    ...programFor(facts, wish),
    "mcp",
    ...(wish.project === undefined ? [] : ["--project", wish.project]),
  ];
  return { command, args };
}

function programFor({ platform, version, nameOnPath, node, script }: LaunchFacts, wish: LaunchWish): string[] {
  if (wish.npx) return [...(npxPrefix[platform] ?? []), "npx", "-y", `forge-mcp@${version}`];
  if (wish.isShared) return [nameOnPath ?? "forge"];
  if (wish.withoutPath || platform === "win32" || !nameOnPath) return [node, script];
  return [nameOnPath];
}

/** A launch that starts Forge, taken apart. */
export type ForgeLaunch = {
  by: "name" | "npx" | "node";
  version: string | undefined;
  project: string | undefined;
  isPlain: boolean;
};

/** Of npx, before the package. Others can have it start another one. */
const plainNpxOptions = new Set(["-y", "--yes"]);

/** Undefined where it starts something else, or something that a project's own files could be. */
export function forgeLaunchOf({ command, args }: Launch): ForgeLaunch | undefined {
  const words = [command, ...args];
  const [first = "", ...rest] =
    programName(words[0]) === "cmd" && words[1]?.toLowerCase() === "/c" ? words.slice(2) : words;
  if (![words[0] ?? "", first].every(isNameOrAbsolute)) return undefined;
  const name = programName(first);
  if (name === "forge" || name === "forge-mcp") return launch("name", undefined, rest);
  if (name === "node") {
    const [script = ""] = rest;
    const isForge = isAbsolutePath(script) && /[\\/]forge(?:-mcp)?\.cjs$/.test(script);
    return isForge ? launch("node", undefined, rest.slice(1)) : undefined;
  }
  if (name !== "npx") return undefined;
  const index = rest.findIndex((word) => !plainNpxOptions.has(word));
  // Not `forge-mcp@npm:another` or `forge-mcp@file:.`, which is another package.
  const [isForge, version] = /^forge-mcp(?:@([\w.+-]+))?$/.exec(rest[index] ?? "") ?? [];
  return isForge === undefined ? undefined : launch("npx", version, rest.slice(index + 1));
}

/** On this machine: `\\host` is another one. */
const absolutePath = /^(?:\/(?!\/)|[A-Za-z]:[\\/])/;

/** Clients put variables and the project's folder in its place. */
const placeholder = /[$%{}]/;

/** What leads there depends on who asks: `/proc/self/cwd` is the folder that a program is started in. */
const ofProcess = /^\/(?:proc|dev)(?:\/|$)/;

function isAbsolutePath(path: string): boolean {
  return absolutePath.test(path) && !placeholder.test(path) && !ofProcess.test(posix.normalize(path));
}

function isNameOrAbsolute(program: string): boolean {
  return !/[\\/]/.test(program) || isAbsolutePath(program);
}

function launch(by: ForgeLaunch["by"], version: string | undefined, rest: string[]): ForgeLaunch | undefined {
  const [verb, option, project, ...more] = rest;
  if (verb !== "mcp") return undefined;
  const isPinned = option === "--project" && project !== undefined && more.length === 0;
  return { by, version, project: isPinned ? project : undefined, isPlain: option === undefined || isPinned };
}

function programName(path: string | undefined): string {
  const name = path?.split(/[\\/]/).at(-1) ?? "";
  return name.toLowerCase().replace(/\.(?:cmd|exe|ps1)$/, "");
}

export type Verdict = "right" | "own" | "outdated" | "stranger";

/**
 * What to think of an entry that is there. One that starts Forge in another way than we would is right too, since a team's
 * file must not change with every member's machine; `own` has custom arguments.
 */
export function judgeEntry(existing: Launch, wanted: Launch, wish: LaunchWish): Verdict {
  const [is, should] = [forgeLaunchOf(existing), forgeLaunchOf(wanted)];
  if (!is) return "stranger";
  if (!is.isPlain || (wish.project === undefined && is.project !== undefined)) return "own";
  if (wish.isNpxAsked && (is.by !== "npx" || is.version !== should?.version)) return "outdated";
  if (wish.project !== undefined && is.project !== wish.project) return "outdated";
  const isMoved = is.by === "node" && !wish.isShared && !sameProgram(existing, wanted);
  return isMoved ? "outdated" : "right";
}

function sameProgram(a: Launch, b: Launch): boolean {
  return a.command === b.command && a.args[0] === b.args[0];
}
