import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject, tool } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeAgentInfo } from "./fractary-forge-agent-info.ts";

const config = { ".fractary/config.json": noRegistries };
const open = (files: Record<string, string>) => new RegistryProject({ ...config, ...files });

test("answers the resolved fields, keeps extends, and names what it needs", async () => {
  const project = open({
    ".fractary/agents/base.yaml": agent("base", { tools: ["read"], tags: ["b"], author: "Ada", license: "MIT" }),
    ".fractary/agents/child.yaml": agent("child", { extends: "base", tools: ["run-tests@^1.0.0"], llm: undefined }),
    ".fractary/tools/run-tests.yaml": tool("run-tests", { version: "1.4.0", depends_on: ["node"] }),
    ".fractary/tools/node.yaml": tool("node"),
  });
  expect(await project.call(fractaryForgeAgentInfo, { name: "child" })).toEqual({
    name: "child",
    version: "1.0.0",
    description: "The child",
    tags: ["b", "test"],
    source: "local",
    path: project.path(".fractary/agents/child.yaml"),
    author: "Ada",
    license: "MIT",
    tools: ["read", "run-tests@^1.0.0"],
    extends: "base",
    prompt: "You are child.",
    dependencies: [
      { name: "run-tests", version: "1.4.0", type: "tool" },
      { name: "node", version: "1.0.0", type: "tool" },
    ],
  });
  expect(project.untrustedReads).toBe(0);
  expect(project.repositoryReads).toBeGreaterThan(0);
});

test("takes ranges, scopes and components of plugins; the first source that satisfies wins", async () => {
  const project = open({
    ".fractary/agents/a.yaml": agent("a", { version: "1.0.0" }),
    "~/.fractary/registry/agents/a@2.1.0/agent.yaml": agent("a", { version: "2.1.0" }),
    "~/.fractary/registry/agents/a@2.9.0-beta.1/agent.yaml": agent("a", { version: "2.9.0-beta.1" }),
    "~/.fractary/registry/agents/@acme/b@1.0.0/agent.yaml": agent("@acme/b"),
    ".fractary/plugins/@org/kit/plugin.json": JSON.stringify({ name: "@org/kit" }),
    ".fractary/plugins/@org/kit/agents/part.yaml": agent("part"),
  });
  const version = async (input: Record<string, unknown>) =>
    (await project.call(fractaryForgeAgentInfo, input))["version"];
  expect(await version({ name: "a" })).toBe("1.0.0");
  expect(await version({ name: "a@^2.0.0" })).toBe("2.1.0");
  expect(await version({ name: "a", version: ">=2" })).toBe("2.1.0");
  expect(await version({ name: "a", source: "global", version: "latest" })).toBe("2.1.0");
  for (const name of ["@acme/b", "@org/kit/part", "@kit/part", "part"]) expect(await version({ name })).toBe("1.0.0");
  expect(project.untrustedReads).toBeGreaterThan(0);
});

test("says what is missing: the name with a guess, the version with those there are", async () => {
  const project = open({ ".fractary/agents/reviewer.yaml": agent("reviewer") });
  expect(await project.call(fractaryForgeAgentInfo, { name: "reviewr" })).toMatchObject({
    code: "AGENT_NOT_FOUND",
    next: ["Did you mean `reviewer`?", { tool: "fractary_forge_agent_list" }],
  });
  expect(await project.call(fractaryForgeAgentInfo, { name: "reviewer", version: "^9" })).toMatchObject({
    code: "AGENT_NOT_FOUND",
    details: { availableVersions: ["1.0.0"] },
  });
  for (const name of ["../../etc/passwd", "a/b", "@x/../y", ""])
    expect(await project.call(fractaryForgeAgentInfo, { name })).toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await project.call(fractaryForgeAgentInfo, { name: "reviewer", version: "not a range" })).toMatchObject({
    code: "VALIDATION_ERROR",
  });
});

test("I16 cycles, missing bases, long chains and conflicts are named with their path", async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [
      `.fractary/agents/c${index}.yaml`,
      agent(`c${index}`, { extends: `c${index + 1}` }),
    ]),
  );
  const project = open({
    ...chain,
    ".fractary/agents/x.yaml": agent("x", { extends: "y" }),
    ".fractary/agents/y.yaml": agent("y", { extends: "x" }),
    ".fractary/agents/lost.yaml": agent("lost", { extends: "nowhere" }),
    ".fractary/agents/torn.yaml": agent("torn", { tools: ["left", "right"] }),
    ".fractary/tools/left.yaml": tool("left", { depends_on: ["shared@^1.0.0"] }),
    ".fractary/tools/right.yaml": tool("right", { depends_on: ["shared@^2.0.0"] }),
    ".fractary/tools/shared.yaml": tool("shared", { version: "1.2.0" }),
  });
  const failing = (name: string) => project.call(fractaryForgeAgentInfo, { name });
  expect(await failing("x")).toMatchObject({
    code: "DEPENDENCY_ERROR",
    message: expect.stringContaining("x@1.0.0 → y@1.0.0 → x@1.0.0"),
  });
  expect(await failing("lost")).toMatchObject({
    code: "DEPENDENCY_ERROR",
    details: { reason: "INHERITANCE_BASE_NOT_FOUND", path: ["lost@1.0.0", "nowhere"] },
  });
  expect(await failing("c0")).toMatchObject({ code: "DEPENDENCY_ERROR", details: { reason: "INHERITANCE_TOO_DEEP" } });
  expect(await failing("torn")).toMatchObject({
    code: "DEPENDENCY_ERROR",
    message: expect.stringContaining("^2.0.0 by torn → right"),
  });
});

test("I16 very many needs of one name are not each compared with all others, and too many are refused", async () => {
  const many = (count: number, range: (at: number) => string) =>
    open({
      ".fractary/agents/a.yaml": agent("a", { tools: Array.from({ length: count }, (_, at) => `t${at}`) }),
      ".fractary/tools/z.yaml": tool("z"),
      ...Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `.fractary/tools/t${at}.yaml`,
          tool(`t${at}`, { depends_on: Array.from({ length: 900 }, (_, of) => range(of + at * 900)) }),
        ]),
      ),
    }).call(fractaryForgeAgentInfo, { name: "a" });
  const started = process.cpuUsage();
  expect(await many(30, () => "z@^1.0.0")).toMatchObject({ dependencies: { length: 31 } });
  expect(await many(30, (at) => `z@>=0.0.${at}`)).toMatchObject({ code: "DEPENDENCY_ERROR" });
  expect(await many(9, (at) => `z@>=0.0.${at}`)).toMatchObject({ dependencies: { length: 10 } });
  expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(20);
}, 60_000);

test("a definition that cannot be read is an error with the file, not a missing one", async () => {
  const project = open({ ".fractary/agents/bad.yaml": "name: bad\nllm: [" });
  expect(await project.call(fractaryForgeAgentInfo, { name: "bad" })).toMatchObject({
    code: "VALIDATION_ERROR",
    message: expect.stringContaining("bad.yaml"),
  });
});
