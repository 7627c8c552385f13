import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject, tool } from "../../../../../test/harness/rooms/registry.ts";
import { parseDefinition } from "../../client/definitions/parse-definition.ts";
import { exportForms } from "../../client/formats/export-definition.ts";
import { registryExport } from "./registry-export.ts";

const files = {
  ".fractary/config.json": noRegistries,
  ".fractary/agents/reviewer.yaml": agent("reviewer", {
    tools: ["read", "grep"],
    config: { deep: { x: 1 } },
    custom: "kept",
    license: "MIT",
    author: "Ada",
  }),
  ".fractary/tools/run.yaml": tool("run"),
};

test.each(exportForms)("%s is read back without loss", async (to) => {
  const project = new RegistryProject(files);
  for (const [name, kind, before] of [
    ["reviewer", "agent", files[".fractary/agents/reviewer.yaml"]],
    ["run", "tool", files[".fractary/tools/run.yaml"]],
  ] as const) {
    const { files: written } = (await project.call(registryExport, { name, to, folder: `out-${name}` })) as {
      files: { path: string; text: string }[];
    };
    const main = written.find(({ path }) => !path.endsWith("plugin.json"));
    const back = parseDefinition(main?.text ?? "", { path: main?.path ?? "", kind });
    const { extended_description: _, ...fields } = back.fields;
    expect({ ...fields, system_prompt: undefined }).toEqual({ ...JSON.parse(before), system_prompt: undefined });
    if (kind === "agent") expect(String(back.fields["system_prompt"]).trim()).toBe("You are reviewer.");
    expect(back).toMatchObject({ kind, name, version: "1.0.0" });
  }
});

test("writes where each client looks, and replaces nothing unless told to", async () => {
  const project = new RegistryProject(files);
  await project.call(registryExport, { name: "reviewer", to: "claude-agent" });
  expect(project.read(".claude/agents/reviewer.md")).toMatch(
    /^---\nname: reviewer\ndescription: The reviewer\ntools: read, grep\nmodel: claude-sonnet-4\n/,
  );
  expect(await project.call(registryExport, { name: "reviewer", to: "claude-agent" })).toMatchObject({
    code: "CONFLICT_ERROR",
  });
  await project.call(registryExport, { name: "reviewer", to: "agent-plugin" });
  expect(JSON.parse(project.read("reviewer/plugin.json"))).toMatchObject({
    $schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
    name: "reviewer",
  });
  expect(await project.call(registryExport, { name: "reviewer", to: "yaml", folder: "../out" })).toMatchObject({
    code: "VALIDATION_ERROR",
  });
});
