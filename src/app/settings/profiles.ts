import { ForgeError } from "../../kernel/errors.ts";
import { didYouMean } from "../../kernel/text/closest.ts";

/** In the order they are served and listed; some are not built yet. */
export const toolsetNames: readonly string[] = ["tickets", "registry", "governance", "workbench", "proof", "memory"];

/** A server that replaces one that users already have configured. */
export type Profile = {
  serverName: string;
  toolsets: readonly string[];
  /** Serves only what its specification lists. */
  exact: boolean;
};

const profiles: Record<string, Profile> = {
  registry: { serverName: "fractary-forge", toolsets: ["registry"], exact: true },
  governance: { serverName: "forgeguard", toolsets: ["governance"], exact: true },
  workbench: { serverName: "Forge MCP Server", toolsets: ["workbench"], exact: false },
  memory: { serverName: "bmad-mcp-server", toolsets: ["memory"], exact: false },
};

export const profileNames: readonly string[] = Object.keys(profiles);

/** The profile of that name, or Forge under its own name where none is asked for. */
export function profileNamed(name: string | undefined): Profile {
  if (name === undefined) return { serverName: "forge", toolsets: toolsetNames, exact: false };
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profile;
  throw unknownName("profile", name, profileNames);
}

/** A list of toolsets (`auto`, `all` or names), or a profile that fixes it. */
export type ToolsetRequest = { toolsets: string; profile: string | undefined };

/** The toolsets that were named, all of them built, or `auto` or `all`. Throws for any other name. */
export function namedToolsets(
  { toolsets, profile }: ToolsetRequest,
  built: readonly string[],
): "auto" | "all" | string[] {
  if (profile !== undefined) {
    if (toolsets !== "auto") {
      throw new ForgeError("VALIDATION_ERROR", "--profile and --toolsets cannot be combined.", {
        next: ["Use one of the two. A profile has its own toolsets."],
      });
    }
    return profileNamed(profile).toolsets.map((name) => requireBuilt(name, built));
  }
  if (toolsets === "auto" || toolsets === "all") return toolsets;
  const names = toolsets.split(",").map((name) => name.trim());
  if (names.includes("auto") || names.includes("all")) {
    throw new ForgeError("VALIDATION_ERROR", "`auto` and `all` cannot be combined with other toolsets.", {
      next: ["Use `auto`, `all`, or a list of names."],
    });
  }
  return names.map((name) => requireBuilt(requireKnown(name, built), built));
}

function requireKnown(name: string, built: readonly string[]): string {
  const known = [...new Set([...toolsetNames, ...built])];
  if (known.includes(name)) return name;
  throw unknownName("toolset", name, ["auto", "all", ...known]);
}

function requireBuilt(name: string, built: readonly string[]): string {
  if (built.includes(name)) return name;
  throw notBuilt(name, built);
}

export function notBuilt(name: string, built: readonly string[]): ForgeError {
  return new ForgeError("NOT_FOUND", `The ${name} toolset is not built yet. This version has: ${built.join(", ")}.`);
}

function unknownName(what: string, name: string, known: readonly string[]): ForgeError {
  const given = name === "" ? `The ${what} name is empty.` : `Unknown ${what} "${name.slice(0, 64)}".`;
  return new ForgeError("VALIDATION_ERROR", `${given} Known: ${known.join(", ")}.`, {
    details: { known },
    next: [...didYouMean(name, known), { command: "toolsets", why: "to see what is served here and why" }],
  });
}
