import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeAgentList } from "./fractary-forge-agent-list.ts";

const layouts = {
  ".fractary/config.json": noRegistries,
  ".fractary/agents/flat.yaml": agent("flat"),
  ".fractary/agents/folder/agent.yaml": agent("folder"),
  ".fractary/agents/folder/agent.md": `---\n${agent("folder", { version: "1.0.0", description: "From Markdown" })}\n---\n\nThe prompt.\n`,
  ".fractary/plugins/kit/plugin.json": JSON.stringify({ name: "kit", version: "2.0.0" }),
  ".fractary/plugins/kit/agents/part.yaml": agent("part"),
  ".fractary/plugins/@org/tools/plugin.json": JSON.stringify({ name: "@org/tools", version: "1.0.0" }),
  ".fractary/plugins/@org/tools/agents/scoped-part/agent.md": `---\n${agent("scoped-part")}\n---\nHello\n`,
  ".fractary/plugins/forge/config.json": "{}",
  ".claude/agents/helper.md":
    "---\nname: helper\ndescription: Use when: colons are not quoted\ntools: Read, Grep\n---\nYou help.\n",
  ".claude/agents/README.md": "# About these agents\n",
  ".agents/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Reads PDF\nlicense: MIT\n---\nSteps.\n",
  "~/.fractary/registry/agents/flat@1.5.0.yaml": agent("flat", { version: "1.5.0" }),
  "~/.fractary/registry/agents/flat@2.0.0/agent.yaml": agent("flat", { version: "2.0.0" }),
  "~/.fractary/registry/agents/@acme/reviewer@1.0.0/agent.yaml": agent("@acme/reviewer"),
};

test("lists every layout, one entry for each name and source, the highest version", async () => {
  const project = new RegistryProject(layouts);
  const { agents, total, limit, offset, warnings } = await project.call(fractaryForgeAgentList);
  const rows = (agents as { name: string; version: string; source: string }[]).map(
    (one) => `${one.name} ${one.version} ${one.source}`,
  );
  expect(rows).toEqual([
    "@acme/reviewer 1.0.0 global",
    "flat 1.0.0 local",
    "flat 2.0.0 global",
    "folder 1.0.0 local",
    "helper 0.0.0 local",
    "part 1.0.0 local",
    "pdf 0.0.0 local",
    "scoped-part 1.0.0 local",
  ]);
  expect({ total, limit, offset, warnings }).toEqual({ total: 8, limit: 100, offset: 0, warnings: undefined });
  expect((agents as { name: string; description: string }[]).find(({ name }) => name === "folder")?.description).toBe(
    "From Markdown",
  );
  expect(project.untrustedReads).toBe(1);
});

test("filters by tags and source, and pages", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/agents/a.yaml": agent("a", { tags: ["x", "y"] }),
    ".fractary/agents/b.yaml": agent("b"),
    "~/.fractary/registry/agents/c.yaml": agent("c", { tags: ["y"] }),
  });
  const names = async (input: Record<string, unknown>) =>
    ((await project.call(fractaryForgeAgentList, input))["agents"] as { name: string }[]).map(({ name }) => name);
  expect(await names({ tags: ["y", "z"] })).toEqual(["a", "c"]);
  expect(await names({ source: "global" })).toEqual(["c"]);
  expect(await names({ limit: 1, offset: 1 })).toEqual(["b"]);
  expect(await project.call(fractaryForgeAgentList, { source: "elsewhere" })).toMatchObject({
    code: "VALIDATION_ERROR",
  });
});

test("sees what changed since, and keeps an index that another process starts from", async () => {
  const project = new RegistryProject({ ".fractary/config.json": noRegistries, ".fractary/agents/a.yaml": agent("a") });
  await project.call(fractaryForgeAgentList);
  project.write(".fractary/agents/a.yaml", agent("a", { description: "Another description, longer" }));
  project.write(".fractary/agents/b.yaml", agent("b"));
  const { agents } = await project.call(fractaryForgeAgentList);
  expect(agents).toMatchObject([{ name: "a", description: "Another description, longer" }, { name: "b" }]);
  const again = new (project.library.constructor as typeof import("../../client/library.ts").Library)({
    projectRoot: project.root,
    home: project.home,
    env: {},
    fetcher: async () => Promise.reject(new Error("none")),
  });
  expect((await again.open().store.all()).entries.map(({ name }) => name)).toEqual(["a", "b"]);
});

test("a broken file is named in a warning and hides no other; links out of the project are not followed", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/agents/good.yaml": agent("good"),
    ".fractary/agents/bad.yaml": "name: [",
    "~/secret/agents/outside.yaml": agent("outside"),
  });
  project.link(".claude/agents", "~/secret/agents");
  project.link(".fractary/agents/linked.yaml", "~/secret/agents/outside.yaml");
  const { agents, warnings } = await project.call(fractaryForgeAgentList);
  expect(agents).toMatchObject([{ name: "good" }]);
  expect(String(warnings)).toMatch(/bad\.yaml, line \d+: /);
  expect(JSON.stringify(warnings)).not.toContain("The outside");
});

test("a configuration that cannot be read is an error of the call, with the file and the line", async () => {
  const project = new RegistryProject({ ".fractary/config.yaml": "forge:\n  registry: [\n" });
  expect(await project.call(fractaryForgeAgentList)).toMatchObject({
    code: "CONFIG_ERROR",
    message: expect.stringMatching(/config\.yaml, line \d/),
  });
});
