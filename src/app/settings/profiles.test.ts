import { expect, test } from "vitest";
import { namedToolsets, profileNamed, profileNames } from "./profiles.ts";

test("the servers that profiles replace", () => {
  expect(profileNames.map((name) => [name, profileNamed(name).serverName, profileNamed(name).exact])).toEqual([
    ["registry", "fractary-forge", true],
    ["governance", "forgeguard", true],
    ["workbench", "Forge MCP Server", false],
    ["memory", "bmad-mcp-server", false],
  ]);
  expect(profileNamed(undefined).serverName).toBe("forge");
});

test.each([
  ["auto", undefined, "auto"],
  ["all", undefined, "all"],
  ["tickets", undefined, ["tickets"]],
  ["tickets, fixture", undefined, ["tickets", "fixture"]],
])("--toolsets %j names %j", (toolsets, profile, expected) => {
  expect(namedToolsets({ toolsets, profile }, ["tickets", "fixture"])).toEqual(expected);
});

test.each([
  ["registry", undefined, "The registry toolset is not built yet. This version has: tickets."],
  ["tickets,memory", undefined, "The memory toolset is not built yet"],
  ["auto", "governance", "The governance toolset is not built yet"],
  ["tikets", undefined, 'Unknown toolset "tikets". Known: auto, all, tickets, registry'],
  ["tickets,", undefined, "The toolset name is empty."],
  ["", undefined, "The toolset name is empty."],
  ["auto,tickets", undefined, "`auto` and `all` cannot be combined with other toolsets."],
  ["auto", "constructor", 'Unknown profile "constructor". Known: registry, governance, workbench, memory.'],
  ["tickets", "registry", "--profile and --toolsets cannot be combined."],
])("--toolsets %j with profile %j is refused", (toolsets, profile, message) => {
  expect(() => namedToolsets({ toolsets, profile }, ["tickets"])).toThrow(message);
});

test("a mistyped name is answered with the likely one", () => {
  expect(() => namedToolsets({ toolsets: "tikets", profile: undefined }, ["tickets"])).toThrow(
    expect.objectContaining({ next: expect.arrayContaining(["Did you mean `tickets`?"]) }),
  );
});
