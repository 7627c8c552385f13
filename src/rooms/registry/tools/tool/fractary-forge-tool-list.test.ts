import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject, tool } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeToolList } from "./fractary-forge-tool-list.ts";

test("lists tools and no agents, an MCP server among them", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/tools/run.yaml": tool("run"),
    ".fractary/tools/folder/tool.md": "---\nname: folder\ntype: tool\ndescription: d\n---\nMore.\n",
    ".fractary/agents/a.yaml": agent("a"),
    "server.json": JSON.stringify({
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      name: "io.example/weather",
      version: "1.2.0",
      description: "Weather",
      packages: [],
    }),
  });
  const { tools, total } = await project.call(fractaryForgeToolList);
  expect(tools).toMatchObject([
    { name: "folder" },
    { name: "run" },
    { name: "weather", version: "1.2.0", description: "Weather" },
  ]);
  expect(total).toBe(3);
});
