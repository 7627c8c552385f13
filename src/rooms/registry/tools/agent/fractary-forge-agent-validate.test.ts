import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeAgentValidate } from "./fractary-forge-agent-validate.ts";

const config = { ".fractary/config.json": noRegistries };

test("says the field, what is wrong and the line", async () => {
  const text =
    "name: wrong\ntype: agent\nversion: 1.0.0\ndescription: d\ntags: [t]\nllm:\n  provider: nobody\n  model: m\n  temperature: 7\ntools: []\n";
  const project = new RegistryProject({ ...config, "wrong.yaml": text });
  const report = await project.call(fractaryForgeAgentValidate, { path: "wrong.yaml" });
  expect(report).toMatchObject({ valid: false, path: project.path("wrong.yaml"), schema_version: "1.0", warnings: [] });
  expect(report["errors"]).toEqual([
    { field: "llm.provider", message: "llm.provider must be anthropic, openai or google", line: 7, severity: "error" },
    { field: "llm.temperature", message: "llm.temperature must be at most 1", line: 9, severity: "error" },
  ]);
});

test("what is only missing or a dialect is a warning, in strict mode an error", async () => {
  const project = new RegistryProject({
    ...config,
    ".claude/agents/helper.md":
      "---\nname: helper\ndescription: Helps\ntools: Read, Grep\nmodel: sonnet\n---\nYou help.\n",
  });
  const loose = await project.call(fractaryForgeAgentValidate, { name: "helper" });
  expect(loose).toMatchObject({ valid: true, errors: [] });
  const fields = (loose["warnings"] as { field: string }[]).map(({ field }) => field);
  expect(fields).toEqual(expect.arrayContaining(["type", "version", "tools", "model", "tags"]));
  const strict = await project.call(fractaryForgeAgentValidate, { name: "helper", strict: true });
  expect(strict).toMatchObject({ valid: false, warnings: [] });
  expect((strict["errors"] as unknown[]).length).toBe(fields.length);
});

test("an empty prompt and a missing base are errors; missing tools are warnings where asked for", async () => {
  const project = new RegistryProject({
    ...config,
    ".fractary/agents/e/agent.md": `---\n${agent("e", { system_prompt: undefined, extends: "gone", tools: ["nope", "Read"] })}\n---\n\n`,
  });
  const report = await project.call(fractaryForgeAgentValidate, { name: "e", checkTools: true });
  expect((report["errors"] as { field: string }[]).map(({ field }) => field)).toEqual(["system_prompt", "extends"]);
  expect(report["warnings"]).toEqual([{ field: "tools", message: "the tool nope was not found" }]);
});

test("C15 a file outside the allowed folders is not read, and its bytes appear nowhere", async () => {
  const project = new RegistryProject({
    ...config,
    "~/.ssh/id": "SECRET-CANARY: [",
    "notes.md": "SECRET-CANARY without front matter",
    ".env": "SECRET-CANARY={{{",
  });
  for (const path of [project.path("~/.ssh/id"), "../home/.ssh/id", "/etc/passwd", "/proc/self/environ"]) {
    const answer = await project.call(fractaryForgeAgentValidate, { path });
    expect(answer).toMatchObject({ code: expect.stringMatching(/PERMISSION_DENIED|VALIDATION_ERROR/) });
    expect(JSON.stringify(answer)).not.toContain("SECRET");
  }
  for (const path of ["notes.md", ".env"]) {
    const answer = await project.call(fractaryForgeAgentValidate, { path });
    expect(JSON.stringify(answer)).not.toContain("SECRET-CANARY");
  }
});

test("C08 C09 C10 alias bombs, tags and deep nesting are one clear error", async () => {
  const levels = "abcdefghi".split("");
  const bomb = levels
    .map(
      (name, index) =>
        `${name}: &${name} [${
          index === 0
            ? "x"
            : Array(9)
                .fill(`*${levels[index - 1]}`)
                .join(",")
        }]`,
    )
    .join("\n");
  const project = new RegistryProject({
    ...config,
    "bomb.yaml": bomb,
    "deep.yaml": "[".repeat(20_000),
    "dashes.yaml": "- ".repeat(20_000),
    "tag.yaml": "name: !!js/function 'x'\n",
    "huge.yaml": `name: "${"x".repeat(300_000)}"\n`,
  });
  for (const [path, message] of [
    ["bomb.yaml", "aliases"],
    ["deep.yaml", "nested"],
    ["dashes.yaml", "nested"],
    ["tag.yaml", "tag"],
    ["huge.yaml", "larger"],
  ] as const) {
    const report = await project.call(fractaryForgeAgentValidate, { path });
    expect(report, path).toMatchObject({ valid: false, errors: [{ message: expect.stringContaining(message) }] });
  }
});

test("needs a path or a name, and not both", async () => {
  const project = new RegistryProject(config);
  for (const input of [{}, { path: "a", name: "b" }])
    expect(await project.call(fractaryForgeAgentValidate, input)).toMatchObject({ code: "VALIDATION_ERROR" });
});

test("characters that nobody sees are named; strict refuses them", async () => {
  const hidden = "Be good.\u202e Ignore this.\u{e0041}";
  const project = new RegistryProject({ ...config, "sly.yaml": agent("sly", { system_prompt: hidden }) });
  expect(await project.call(fractaryForgeAgentValidate, { path: "sly.yaml" })).toMatchObject({
    valid: true,
    warnings: [{ field: "system_prompt", message: "contains hidden characters (U+202E)" }],
  });
  expect(await project.call(fractaryForgeAgentValidate, { path: "sly.yaml", strict: true })).toMatchObject({
    valid: false,
  });
  const emoji = new RegistryProject({
    ...config,
    "plain.yaml": agent("plain", { system_prompt: "Hi \u{1f469}\u200d\u{1f4bb}" }),
  });
  expect(await emoji.call(fractaryForgeAgentValidate, { path: "plain.yaml", strict: true })).toMatchObject({
    valid: true,
  });
});
