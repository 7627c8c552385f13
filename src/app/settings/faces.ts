import { didYouMean } from "../../kernel/closest.ts";
import { ForgeError } from "../../kernel/errors.ts";

/** In the order they are served and listed. */
export const toolsetNames = ["tickets", "registry", "governance", "workbench", "memory"] as const;

export type ToolsetName = (typeof toolsetNames)[number];

/** A name the program is started by. */
export type Face = {
  /** Stands before the arguments it was given. */
  prefix: readonly string[];
  /** The command where none was given. */
  fallback?: string;
};

const plainFace: Face = { prefix: [] };

const faces: Record<string, Face> = {
  forge: plainFace,
  "forge-mcp": { prefix: [], fallback: "mcp" },
  "fractary-forge-mcp": { prefix: ["mcp", "--profile", "registry"] },
  "fractary-forge": { prefix: ["registry"] },
  "bmad-mcp-server": { prefix: ["mcp", "--profile", "memory"] },
};

/** The face of a binary, by its file name; `forge` for any other. */
export function faceOf(binary: string): Face {
  return Object.hasOwn(faces, binary) ? (faces[binary] ?? plainFace) : plainFace;
}

/** A server that stands in for one that users already have configured. */
export type Profile = {
  serverName: string;
  toolsets: readonly ToolsetName[];
  /** Serves what its specification lists and nothing beside it. */
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
export function profileOf(name: string | undefined): Profile {
  if (name === undefined) return { serverName: "forge", toolsets: toolsetNames, exact: false };
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profile;
  throw unknown("profile", name, profileNames);
}

/** What a few `stat` calls say about a project. */
export type ProjectFacts = {
  git: boolean;
  /** `.fractary/` exists. */
  fractary: boolean;
  /** `Forge/Contracts/` or `forge.json` exists, or a governance server is configured. */
  governance: boolean;
  /** `_bmad/` or `_grimoire/` exists. */
  bmad: boolean;
};

type AutoRule = { fits(facts: ProjectFacts): boolean; yes: string; no: string };

/** `--toolsets auto`. When memory is built, its remember and recall are served always and only the rest follows this rule. */
const autoRules: Record<ToolsetName, AutoRule> = {
  tickets: { fits: () => true, yes: "always", no: "" },
  registry: { fits: (facts) => facts.fractary, yes: "the project has a .fractary folder", no: "no .fractary folder" },
  governance: {
    fits: (facts) => facts.governance,
    yes: "the project has contracts or a governance server",
    no: "no Forge/Contracts folder, forge.json or governance server",
  },
  workbench: { fits: (facts) => facts.git, yes: "this is a git repository", no: "not a git repository" },
  memory: {
    fits: (facts) => facts.bmad,
    yes: "the project has a _bmad or _grimoire folder",
    no: "no _bmad or _grimoire folder",
  },
};

export type Choice = { name: ToolsetName; served: boolean; reason: string };

/** What is asked for: a list of toolsets (`auto`, `all` or names), or a profile that fixes it. */
export type Wanted = { toolsets: string; profile: string | undefined };

/** For each toolset, whether it is served and why. `built` names those that exist in this version. */
export function chooseToolsets(wanted: Wanted, facts: ProjectFacts, built: readonly string[]): Choice[] {
  const named = namedToolsets(wanted, built);
  return toolsetNames.map((name) => {
    if (!built.includes(name)) return { name, served: false, reason: "not built yet" };
    if (named === "all") return { name, served: true, reason: "all toolsets were asked for" };
    if (named !== "auto") return byName(name, named.includes(name), wanted.profile);
    const rule = autoRules[name];
    const served = rule.fits(facts);
    return { name, served, reason: served ? rule.yes : rule.no };
  });
}

function byName(name: ToolsetName, served: boolean, profile: string | undefined): Choice {
  if (profile !== undefined) return { name, served, reason: `${served ? "" : "not "}in the profile ${profile}` };
  return { name, served, reason: served ? "asked for by name" : "not asked for" };
}

/** The toolsets that were named, all of them built; `auto` and `all` stand for themselves. Throws for any other wish. */
export function namedToolsets({ toolsets, profile }: Wanted, built: readonly string[]): "auto" | "all" | ToolsetName[] {
  if (profile !== undefined) {
    if (toolsets !== "auto") {
      throw new ForgeError("VALIDATION_ERROR", "--profile fixes the toolsets, so --toolsets cannot stand beside it.", {
        suggestions: ["Give one of the two."],
      });
    }
    return profileOf(profile).toolsets.map((name) => requireBuilt(name, built));
  }
  if (toolsets === "auto" || toolsets === "all") return toolsets;
  const names = toolsets.split(",").map((name) => name.trim());
  if (names.includes("auto") || names.includes("all")) {
    throw new ForgeError("VALIDATION_ERROR", "`auto` and `all` stand alone, without other toolsets.", {
      suggestions: ["Give one of the two, or only names."],
    });
  }
  return names.map((name) => requireBuilt(knownToolset(name), built));
}

function knownToolset(name: string): ToolsetName {
  const known = toolsetNames.find((toolset) => toolset === name);
  if (known) return known;
  throw unknown("toolset", name, ["auto", "all", ...toolsetNames]);
}

export function requireBuilt(name: ToolsetName, built: readonly string[]): ToolsetName {
  if (built.includes(name)) return name;
  throw new ForgeError(
    "NOT_FOUND",
    `The ${name} toolset is not built yet; this version of Forge has: ${built.join(", ")}.`,
  );
}

function unknown(what: string, name: string, known: readonly string[]): ForgeError {
  const given = name === "" ? `An empty ${what} name` : `Unknown ${what} "${name.slice(0, 64)}"`;
  return new ForgeError("VALIDATION_ERROR", `${given}; the known ones are ${known.join(", ")}.`, {
    details: { known },
    suggestions: [...didYouMean(name, known), "Run `forge toolsets` to see what is served here and why."],
  });
}
