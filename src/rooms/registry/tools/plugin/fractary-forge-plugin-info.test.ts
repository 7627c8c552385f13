import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject, tool } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgePluginInfo } from "./fractary-forge-plugin-info.ts";

test("reads each kind of manifest, components by plain name", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/plugins/@org/kit/plugin.json": JSON.stringify({
      name: "@org/kit",
      version: "1.0.0",
      author: "Ada",
      license: "MIT",
      tags: ["t"],
      agents: [{ name: "part", version: "1.0.0", source: "https://x.example/a" }],
      dependencies: [{ name: "base", version: "^1" }],
    }),
    ".fractary/plugins/@org/kit/agents/part.yaml": agent("part"),
    ".fractary/plugins/@org/kit/tools/run.yaml": tool("run"),
    ".fractary/plugins/@org/kit/commands/go.md": "Go",
    "plugins/c/.claude-plugin/plugin.json": JSON.stringify({
      name: "claude-kit",
      agents: ["./helper.md"],
      skills: "./skills/",
    }),
    "plugins/c/helper.md": "---\nname: helper\ndescription: d\n---\nHi\n",
    "plugins/c/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: d\n---\nHi\n",
  });
  expect(await project.call(fractaryForgePluginInfo, { plugin: "@org/kit" })).toMatchObject({
    name: "@org/kit",
    author: "Ada",
    keywords: ["t"],
    components: { agents: ["part"], tools: ["run"], workflows: [], hooks: [], commands: ["go"] },
    dependencies: { base: "^1" },
    installed: { scope: "local", installedVersion: "1.0.0" },
  });
  expect(await project.call(fractaryForgePluginInfo, { plugin: "claude-kit" })).toMatchObject({
    components: { agents: ["helper", "pdf"] },
  });
  expect(await project.call(fractaryForgePluginInfo, { plugin: "kit", version: "^2" })).toMatchObject({
    code: "PLUGIN_NOT_FOUND",
  });
  expect(await project.call(fractaryForgePluginInfo, { plugin: "nothing" })).toMatchObject({
    code: "PLUGIN_NOT_FOUND",
    details: { searchedRegistries: ["local", "global"] },
  });
});

test("names no files of folders outside that a link of the plugin leads to", async () => {
  const manifest = JSON.stringify({ name: "kit", version: "1.0.0" });
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/plugins/kit/plugin.json": manifest,
    "~/elsewhere/payroll.json": "{}",
  });
  project.link(".fractary/plugins/kit/hooks", "~/elsewhere");
  expect(await project.call(fractaryForgePluginInfo, { plugin: "kit" })).toMatchObject({ components: { hooks: [] } });
});
