import { expect, test } from "vitest";
import { noRegistries, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgePluginList } from "./fractary-forge-plugin-list.ts";

const manifest = (name: string, version: string) => JSON.stringify({ name, version });

test("lists scoped and plain plugins of both scopes, Claude's among them, with updates that are known", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/plugins/kit/plugin.json": manifest("kit", "1.0.0"),
    ".fractary/plugins/forge/config.json": "{}",
    "plugins/claude/.claude-plugin/plugin.json": manifest("claude-kit", "0.3.0"),
    "~/.fractary/registry/plugins/@org/other/plugin.json": manifest("@org/other", "2.0.0"),
    "~/.fractary/registry/manifests/@org/other.json": JSON.stringify({
      latest: "2.1.0",
      versions: [{ version: "2.1.0" }],
    }),
  });
  const { plugins, total } = await project.call(fractaryForgePluginList);
  expect(plugins).toMatchObject([
    { name: "@org/other", version: "2.0.0", scope: "global", hasUpdate: true, latestVersion: "2.1.0" },
    { name: "claude-kit", version: "0.3.0", scope: "local" },
    { name: "kit", version: "1.0.0", scope: "local", path: project.path(".fractary/plugins/kit") },
  ]);
  expect(total).toBe(3);
  expect(await project.call(fractaryForgePluginList, { scope: "local" })).toMatchObject({ total: 2 });
  expect(await project.call(fractaryForgePluginList, { outdated: true })).toMatchObject({
    plugins: [{ name: "@org/other" }],
  });
});
