import { expect, test } from "vitest";
import {
  chooseToolsets,
  faceOf,
  namedToolsets,
  type ProjectFacts,
  profileNames,
  profileOf,
  toolsetNames,
} from "./faces.ts";

const nothing: ProjectFacts = { git: false, fractary: false, governance: false, bmad: false };
const everything: ProjectFacts = { git: true, fractary: true, governance: true, bmad: true };
const auto = { toolsets: "auto", profile: undefined };

function served(
  wanted: { toolsets: string; profile: string | undefined },
  facts: ProjectFacts,
  built: readonly string[],
) {
  return chooseToolsets(wanted, facts, built)
    .filter((choice) => choice.served)
    .map(({ name }) => name);
}

test.each<[Partial<ProjectFacts>, string[]]>([
  [{}, ["tickets"]],
  [{ git: true }, ["tickets", "workbench"]],
  [{ fractary: true }, ["tickets", "registry"]],
  [{ governance: true }, ["tickets", "governance"]],
  [{ bmad: true }, ["tickets", "memory"]],
  [everything, [...toolsetNames]],
])("auto with %j serves %j", (facts, expected) => {
  expect(served(auto, { ...nothing, ...facts }, toolsetNames)).toEqual(expected);
});

test("auto says why, for each of the five", () => {
  expect(chooseToolsets(auto, { ...nothing, git: true }, toolsetNames)).toEqual([
    { name: "tickets", served: true, reason: "always" },
    { name: "registry", served: false, reason: "no .fractary folder" },
    { name: "governance", served: false, reason: "no Forge/Contracts folder, forge.json or governance server" },
    { name: "workbench", served: true, reason: "this is a git repository" },
    { name: "memory", served: false, reason: "no _bmad or _grimoire folder" },
  ]);
});

test.each(["auto", "all"])("%s never serves what is not built", (toolsets) => {
  const choices = chooseToolsets({ toolsets, profile: undefined }, everything, ["tickets"]);
  expect(choices.filter((choice) => choice.served).map(({ name }) => name)).toEqual(["tickets"]);
  expect(choices.slice(1).every(({ reason }) => reason === "not built yet")).toBe(true);
});

test("names are served in the house's order, whatever the order they were given in", () => {
  const wanted = { toolsets: "memory, tickets,memory", profile: undefined };
  expect(served(wanted, nothing, toolsetNames)).toEqual(["tickets", "memory"]);
});

test.each([...profileNames])("the profile %s serves its own toolset under its own name", (profile) => {
  expect(served({ toolsets: "auto", profile }, everything, toolsetNames)).toEqual([profile]);
  expect(profileOf(profile).serverName).not.toBe("forge");
});

test("the servers that are stood in for", () => {
  expect(profileNames.map((name) => [name, profileOf(name).serverName, profileOf(name).exact])).toEqual([
    ["registry", "fractary-forge", true],
    ["governance", "forgeguard", true],
    ["workbench", "Forge MCP Server", false],
    ["memory", "bmad-mcp-server", false],
  ]);
  expect(profileOf(undefined).serverName).toBe("forge");
});

test.each([
  ["registry", undefined, "The registry toolset is not built yet; this version of Forge has: tickets."],
  ["tickets,memory", undefined, "The memory toolset is not built yet"],
  ["auto", "governance", "The governance toolset is not built yet"],
  ["tikets", undefined, 'Unknown toolset "tikets"; the known ones are auto, all, tickets, registry'],
  ["tickets,", undefined, "An empty toolset name"],
  ["", undefined, "An empty toolset name"],
  ["auto,tickets", undefined, "`auto` and `all` stand alone"],
  ["auto", "constructor", 'Unknown profile "constructor"; the known ones are registry, governance, workbench, memory.'],
  ["tickets", "registry", "--profile fixes the toolsets"],
])("--toolsets %j with profile %j is refused", (toolsets, profile, message) => {
  expect(() => namedToolsets({ toolsets, profile }, ["tickets"])).toThrow(message);
});

test("a mistyped name is met with the likely one", () => {
  expect(() => namedToolsets({ toolsets: "tikets", profile: undefined }, ["tickets"])).toThrow(
    expect.objectContaining({ suggestions: expect.arrayContaining(["Did you mean `tickets`?"]) }),
  );
});

test("binaries are faces of one program", () => {
  expect(faceOf("forge")).toEqual({ prefix: [] });
  expect(faceOf("forge-mcp")).toEqual({ prefix: [], fallback: "mcp" });
  expect(faceOf("fractary-forge-mcp").prefix).toEqual(["mcp", "--profile", "registry"]);
  expect(faceOf("fractary-forge").prefix).toEqual(["registry"]);
  expect(faceOf("bmad-mcp-server").prefix).toEqual(["mcp", "--profile", "memory"]);
  expect(faceOf("toString")).toEqual({ prefix: [] });
});
