import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeForkDiff } from "./fractary-forge-fork-diff.ts";

const fork = { fork_of: { name: "up", version: "1.0.0", forked_at: "2026-01-01" } };

test("compares with the recorded base, by field and as text", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/agents/mine.yaml": agent("mine", { ...fork, description: "Changed", author: "Ada", tags: undefined }),
    "~/.fractary/registry/agents/up@1.0.0/agent.yaml": agent("up", { system_prompt: "You are mine.\n" }),
    "~/.fractary/registry/agents/up@2.0.0/agent.yaml": agent("up", { version: "2.0.0" }),
  });
  const answer = await project.call(fractaryForgeForkDiff, { name: "mine" });
  expect(answer).toMatchObject({
    upstreamVersion: "1.0.0",
    upstreamLatest: "2.0.0",
    localVersion: "1.0.0",
    summary: { added: 1, removed: 1, modified: 1 },
    diff: expect.stringContaining("+++ local"),
  });
  expect(answer["differences"]).toEqual([
    { field: "author", local: "Ada", changeType: "added" },
    { field: "description", local: "Changed", upstream: "The up", changeType: "modified" },
    { field: "tags", upstream: ["test"], changeType: "removed" },
  ]);
  expect(await project.call(fractaryForgeForkDiff, { name: "mine", format: "json" })).not.toHaveProperty("diff");
});

test("a base that is nowhere is an error that names it", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/agents/mine.yaml": agent("mine", fork),
  });
  expect(await project.call(fractaryForgeForkDiff, { name: "mine" })).toMatchObject({
    code: "DEPENDENCY_ERROR",
    message: expect.stringContaining("up@1.0.0"),
  });
});
