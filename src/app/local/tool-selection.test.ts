import { join } from "node:path";
import { expect, test } from "vitest";
import { CliProject } from "../../../test/harness/cli/cli.ts";
import { fixtureRoom, roomSetOf } from "../../../test/harness/rooms/fixture-room.ts";
import type { ForgeRoom } from "../../commons/house.ts";
import { findProject } from "../../platform/state/project.ts";
import { rooms } from "../../rooms.ts";
import { ToolSelection } from "./tool-selection.ts";

const auto = { toolsets: "auto", profile: undefined, readOnly: false };

function reportIn(project: CliProject, selection = auto) {
  return new ToolSelection(selection, findProject(project.root)).report();
}

const served = (project: CliProject, selection = auto) =>
  reportIn(project, selection)
    .filter((toolset) => toolset.served)
    .map(({ name }) => name);

test("auto serves what fits the project, and says why", () => {
  const project = new CliProject();
  expect(reportIn(project).map(({ name, served: isServed, reason }) => [name, isServed, reason])).toEqual([
    ["tickets", true, "always"],
    ["registry", false, "no .fractary folder"],
    ["governance", false, "no Forge/Contracts folder, forge.json or project"],
    ["workbench", false, "not a git repository"],
    ["proof", false, "not a git repository"],
    ["memory", true, "remember and recall always"],
  ]);
  project.git("init", "-q");
  expect(served(project)).toEqual(["tickets", "workbench", "proof", "memory"]);
  project.write(".fractary/config.json", "{}");
  expect(reportIn(project).find(({ name }) => name === "registry")).toMatchObject({
    served: true,
    reason: "there is a .fractary folder",
  });
});

test.each([
  ["all", ["tickets", "registry", "governance", "workbench", "proof", "memory"]],
  ["workbench, tickets,workbench", ["tickets", "workbench"]],
  ["workbench", ["workbench"]],
])("--toolsets %s serves %j, in the order of the rooms", (toolsets, expected) => {
  expect(served(new CliProject(), { ...auto, toolsets })).toEqual(expected);
});

test("a profile serves its own toolset under its own name", () => {
  const selected = new ToolSelection(
    { toolsets: "auto", profile: "workbench", readOnly: false },
    findProject(new CliProject().root),
  );
  expect(selected.lists.serverInfo.name).toBe("Forge MCP Server");
  const choices = selected.report().filter((toolset) => toolset.served);
  expect(choices.map(({ name, reason }) => [name, reason])).toEqual([["workbench", "in the profile workbench"]]);
});

test("read-only counts only the tools that read", () => {
  const project = new CliProject();
  const [all] = reportIn(project);
  const [reading] = reportIn(project, { ...auto, readOnly: true });
  expect(reading?.tools).toBeGreaterThan(0);
  expect(reading?.tools).toBeLessThan(all?.tools ?? 0);
});

test("a room decides by a few looks at the project", async () => {
  const project = new CliProject({ ".zebra/config.yaml": "" });
  const zebra: ForgeRoom = {
    ...(fixtureRoom({ name: "zebra" }) as ForgeRoom),
    fits: ({ has }) => ({ fits: has(join(".zebra", "config.yaml")), why: "this project has stripes" }),
  };
  const roomSet = await roomSetOf([zebra], [...rooms, zebra]);
  const report = new ToolSelection(auto, findProject(project.root), roomSet).report();
  expect(report.find(({ name }) => name === "zebra")).toMatchObject({
    served: true,
    reason: "this project has stripes",
  });
});
