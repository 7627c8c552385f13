import { expect, test } from "vitest";
import { noRegistries, RegistryProject, tool } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeToolValidate } from "./fractary-forge-tool-validate.ts";

test("dialects of published tools are warnings; a wrong implementation is an error", async () => {
  const published = tool("published", {
    tags: undefined,
    parameters: { type: "object", properties: { a: { type: "string" } } },
    implementation: { type: "bash", scripts_directory: "scripts" },
    llm: { model: "m" },
  });
  const project = new RegistryProject({
    ".fractary/config.json": noRegistries,
    ".fractary/tools/published.yaml": published,
    ".fractary/tools/good.yaml": tool("good"),
    ".fractary/tools/bad.yaml": tool("bad", { implementation: { type: "http", http: { method: "BREW" } } }),
  });
  const check = (name: string, strict = false) => project.call(fractaryForgeToolValidate, { name, strict });
  const report = await check("published");
  expect(report).toMatchObject({ valid: true, errors: [] });
  expect((report["warnings"] as { field: string }[]).map(({ field }) => field).sort()).toEqual([
    "implementation",
    "llm",
    "parameters",
    "tags",
  ]);
  expect(await check("published", true)).toMatchObject({ valid: false });
  expect(await check("good", true)).toMatchObject({ valid: true, errors: [], warnings: [] });
  expect(await check("bad")).toMatchObject({
    valid: false,
    errors: expect.arrayContaining([expect.objectContaining({ field: "implementation.http.method" })]),
  });
});
