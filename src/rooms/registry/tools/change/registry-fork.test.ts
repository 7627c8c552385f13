import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { registryFork } from "./registry-fork.ts";

test("copies a definition with its comments, its origin and the text to compare with", async () => {
  const upstream =
    "# Keep this comment\nname: up\ntype: agent\nversion: 1.2.0\ndescription: d\nllm: {provider: anthropic, model: m}\ntools: []\ntags: [t]\n";
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    "~/.fractary/registry/agents/up.yaml": upstream,
  });
  const input = { source: "up", name: "mine" };
  expect(await project.call(registryFork, { ...input, dryRun: true })).toMatchObject({
    dryRun: true,
    upstream: { name: "up", version: "1.2.0" },
  });
  expect(() => project.read(".fractary/agents/mine.yaml")).toThrow();
  await project.call(registryFork, input);
  const copy = project.read(".fractary/agents/mine.yaml");
  expect(copy).toContain("# Keep this comment");
  expect(copy).toMatch(/name: mine\n[\s\S]*fork_of:\n {2}name: up\n {2}version: 1\.2\.0\n {2}forked_at: /);
  expect(project.read(".fractary/forks/agents/mine.yaml")).toContain("name: up");
  expect(await project.call(registryFork, input)).toMatchObject({ code: "CONFLICT_ERROR" });
  expect(await project.call(registryFork, { source: "up", name: "../x" })).toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await project.call(registryFork, { source: "gone" })).toMatchObject({ code: "AGENT_NOT_FOUND" });
});

test("keeps Markdown as Markdown", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    "~/.fractary/registry/agents/up@1.0.0/agent.md": `---\n${agent("up", { system_prompt: undefined })}\n---\n\nThe prompt.\n`,
  });
  await project.call(registryFork, { source: "up" });
  expect(project.read(".fractary/agents/up.md")).toMatch(/^---\n[\s\S]*\n---\n\nThe prompt\.\n$/);
});
