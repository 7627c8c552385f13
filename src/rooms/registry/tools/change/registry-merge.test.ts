import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { registryFork } from "./registry-fork.ts";
import { registryMerge } from "./registry-merge.ts";

const lines = (...words: string[]) => `${words.join("\n")}\n`;

async function forked(change: Record<string, unknown>, newer: Record<string, unknown>): Promise<RegistryProject> {
  const base = { system_prompt: lines("one", "two", "three", "four", "five"), tools: ["a", "b"] };
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    "~/.fractary/registry/agents/up@1.0.0/agent.yaml": agent("up", base),
  });
  await project.call(registryFork, { source: "up", name: "mine" });
  const mark = { fork_of: { name: "up", version: "1.0.0", forked_at: "2026-01-01" } };
  project.write(".fractary/agents/mine.yaml", agent("mine", { ...base, ...mark, ...change }));
  project.write(
    "~/.fractary/registry/agents/up@2.0.0/agent.yaml",
    agent("up", { ...base, version: "2.0.0", ...newer }),
  );
  return project;
}

test("takes over what only upstream changed, joins lists and merges texts by lines", async () => {
  const project = await forked(
    { description: "Mine", tools: ["a", "mine"], system_prompt: lines("one", "TWO", "three", "four", "five") },
    { license: "MIT", tools: ["a", "b", "new"], system_prompt: lines("one", "two", "three", "four", "FIVE") },
  );
  const dry = await project.call(registryMerge, { name: "mine", dryRun: true });
  expect(dry).toMatchObject({ from: "1.0.0", to: "2.0.0", conflicts: [], dryRun: true });
  expect(project.read(".fractary/agents/mine.yaml")).not.toContain("MIT");
  await project.call(registryMerge, { name: "mine" });
  const text = project.read(".fractary/agents/mine.yaml");
  for (const part of ["Mine", "MIT", "mine", "new", "TWO", "FIVE", "merged_at"]) expect(text).toContain(part);
  expect(await project.call(registryMerge, { name: "mine" })).toMatchObject({
    from: "2.0.0",
    to: "2.0.0",
    changed: [],
  });
});

test("I21 a conflict changes nothing; the strategy decides, or both stay with markers", async () => {
  const change = { description: "Mine", system_prompt: lines("one", "local", "three", "four", "five") };
  const newer = { description: "Theirs", system_prompt: lines("one", "upstream", "three", "four", "five") };
  const project = await forked(change, newer);
  const before = project.read(".fractary/agents/mine.yaml");
  expect(await project.call(registryMerge, { name: "mine" })).toMatchObject({
    code: "CONFLICT_ERROR",
    details: { conflicts: ["description", "system_prompt"] },
  });
  expect(project.read(".fractary/agents/mine.yaml")).toBe(before);
  const merged = async (strategy: string) =>
    String((await project.call(registryMerge, { name: "mine", strategy, dryRun: true }))["text"]);
  expect(await merged("local")).not.toMatch(/Theirs|upstream"?\\n/);
  expect(await merged("upstream")).toContain("Theirs");
  const manual = await merged("manual");
  for (const part of [
    "Mine",
    'CONFLICT in description: upstream has: "Theirs"',
    "<<<<<<< local",
    "local",
    "=======",
    "upstream",
    ">>>>>>> upstream",
  ])
    expect(manual).toContain(part);
});
