import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject, tool } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeForkList } from "./fractary-forge-fork-list.ts";

test("reads the three ways of saying where a fork comes from", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/agents/one.yaml": agent("one", { fork_of: { name: "up", version: "1.0.0", forked_at: "2026-01-01" } }),
    ".fractary/tools/two.yaml": tool("two", {
      fork: { upstream: "t", upstreamVersion: "2.0.0", forkedAt: "2026-01-02" },
    }),
    ".fractary/agents/three/agent.yaml": agent("three"),
    ".fractary/agents/three/metadata.json": JSON.stringify({
      fork: { from_name: "up", from_version: "0.9.0", created_at: "2026-01-03" },
    }),
    ".fractary/agents/plain.yaml": agent("plain"),
    "~/.fractary/registry/agents/up@1.1.0/agent.yaml": agent("up", { version: "1.1.0" }),
  });
  const { forks, total } = await project.call(fractaryForgeForkList);
  expect(forks).toMatchObject([
    { name: "one", type: "agent", upstream: { name: "up", version: "1.0.0" }, hasUpstreamUpdate: true },
    { name: "three", upstream: { name: "up", version: "0.9.0" }, hasUpstreamUpdate: true },
    { name: "two", type: "tool", upstream: { name: "t", version: "2.0.0" }, hasUpstreamUpdate: false },
  ]);
  expect(total).toBe(3);
  expect(await project.call(fractaryForgeForkList, { type: "tool" })).toMatchObject({ total: 1 });
});

test("a plugin that was forked as one says so in its manifest", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/plugins/mine/plugin.json": JSON.stringify({
      name: "mine",
      version: "1.0.0",
      fork: { upstream: "@acme/review", upstreamVersion: "1.0.0", forkedAt: "2026-01-02" },
    }),
    ".fractary/plugins/mine/agents/critic.yaml": agent("critic", { description: "Changed" }),
    "~/.fractary/registry/plugins/@acme/review/plugin.json": JSON.stringify({ name: "@acme/review", version: "2.0.0" }),
    "~/.fractary/registry/plugins/@acme/review/agents/critic.yaml": agent("critic", { version: "2.0.0" }),
  });
  expect(await project.call(fractaryForgeForkList)).toMatchObject({
    forks: [{ name: "critic", upstream: { name: "@acme/review/critic", version: "1.0.0" }, hasUpstreamUpdate: true }],
  });
});
