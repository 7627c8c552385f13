import { expect, test } from "vitest";
import { RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgePluginSearch } from "./fractary-forge-plugin-search.ts";

test("searches a folder as a registry by words and tags; what it finds is text of others", async () => {
  const project = new RegistryProject({
    "~/.fractary/config.json": JSON.stringify({ registries: [{ name: "shelf", url: "shelf" }] }),
    "~/shelf/plugins/review/plugin.json": JSON.stringify({
      name: "review",
      version: "1.0.0",
      description: "Reviews code",
      tags: ["quality"],
    }),
    "~/shelf/plugins/deploy/plugin.json": JSON.stringify({
      name: "deploy",
      version: "1.0.0",
      description: "Deploys code",
    }),
  });
  expect(await project.call(fractaryForgePluginSearch, { query: "code" })).toMatchObject({ total: 2, query: "code" });
  expect(await project.call(fractaryForgePluginSearch, { query: "code", tags: ["quality"] })).toMatchObject({
    results: [{ name: "review", registry: "shelf" }],
    total: 1,
  });
  expect(await project.call(fractaryForgePluginSearch, { query: "code", limit: 1, offset: 1 })).toMatchObject({
    total: 2,
    results: [{}],
  });
  expect(project.untrustedReads).toBe(3);
});
