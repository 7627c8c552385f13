import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeForkInfo } from "./fractary-forge-fork-info.ts";

test("says where a fork comes from and when it was merged; an unknown one is named", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/agents/mine.yaml": agent("mine", {
      fork_of: { name: "up", version: "1.0.0", forked_at: "2026-01-01", merged_at: "2026-02-01" },
    }),
    "~/.fractary/registry/manifests/up.json": JSON.stringify({ latest: "1.4.0" }),
  });
  expect(await project.call(fractaryForgeForkInfo, { name: "mine" })).toEqual({
    name: "mine",
    type: "agent",
    path: project.path(".fractary/agents/mine.yaml"),
    upstream: { name: "up", version: "1.0.0", currentVersion: "1.4.0" },
    localVersion: "1.0.0",
    createdAt: "2026-01-01",
    lastMerged: "2026-02-01",
    hasUpstreamUpdate: true,
  });
  expect(await project.call(fractaryForgeForkInfo, { name: "min" })).toMatchObject({
    code: "NOT_FOUND",
    next: ["Did you mean `mine`?", { tool: "fractary_forge_fork_list" }],
  });
});
