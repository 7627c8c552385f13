import { expect, test } from "vitest";
import { noRegistries, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeToolValidate } from "../tool/fractary-forge-tool-validate.ts";
import { registryCreateTool } from "./registry-create-tool.ts";

test("writes a definition that passes the strict check, once", async () => {
  const project = new RegistryProject({ ".fractary/config.json": noRegistries });
  expect(await project.call(registryCreateTool, { name: "fresh", dryRun: true })).toMatchObject({
    dryRun: true,
    text: expect.stringContaining("name: fresh"),
  });
  expect(() => project.read(".fractary/tools/fresh.yaml")).toThrow();
  await project.call(registryCreateTool, { name: "fresh", description: "Does it" });
  expect(await project.call(fractaryForgeToolValidate, { name: "fresh", strict: true })).toMatchObject({
    valid: true,
    errors: [],
  });
  expect(await project.call(registryCreateTool, { name: "fresh" })).toMatchObject({ code: "CONFLICT_ERROR" });
  for (const name of ["Upper", "../x", "1st"])
    expect(await project.call(registryCreateTool, { name })).toMatchObject({ code: "VALIDATION_ERROR" });
});
