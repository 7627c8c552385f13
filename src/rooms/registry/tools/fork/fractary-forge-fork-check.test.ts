import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeForkCheck } from "./fractary-forge-fork-check.ts";

const fork = (version: string) => ({ fork_of: { name: "up", version, forked_at: "2026-01-01" } });

test("counts updates, and says which may break the fork", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/agents/far.yaml": agent("far", fork("1.0.0")),
    ".fractary/agents/near.yaml": agent("near", fork("2.0.0")),
    ".fractary/agents/current.yaml": agent("current", fork("2.1.0")),
    "~/.fractary/registry/agents/up@2.0.0/agent.yaml": agent("up", { version: "2.0.0" }),
    "~/.fractary/registry/agents/up@2.1.0/agent.yaml": agent("up", { version: "2.1.0", description: "Better" }),
  });
  expect(await project.call(fractaryForgeForkCheck)).toEqual({
    updates: [
      { name: "far", type: "agent", localVersion: "1.0.0", upstreamVersion: "2.1.0", breakingChanges: true },
      { name: "near", type: "agent", localVersion: "1.0.0", upstreamVersion: "2.1.0", breakingChanges: false },
    ],
    total: 2,
    hasUpdates: true,
  });
  expect(await project.call(fractaryForgeForkCheck, { name: "current" })).toEqual({
    updates: [],
    total: 0,
    hasUpdates: false,
  });
});
