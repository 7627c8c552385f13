import { expect, test } from "vitest";
import { noRegistries, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeAgentValidate } from "../agent/fractary-forge-agent-validate.ts";
import { registryCreateAgent } from "./registry-create-agent.ts";

test("writes a definition that passes the strict check, once", async () => {
  const project = new RegistryProject({ ".fractary/config.json": noRegistries });
  expect(await project.call(registryCreateAgent, { name: "fresh", dryRun: true })).toMatchObject({
    dryRun: true,
    text: expect.stringContaining("name: fresh"),
  });
  expect(() => project.read(".fractary/agents/fresh.yaml")).toThrow();
  await project.call(registryCreateAgent, { name: "fresh", description: "Does it" });
  expect(await project.call(fractaryForgeAgentValidate, { name: "fresh", strict: true })).toMatchObject({
    valid: true,
    errors: [],
  });
  expect(await project.call(registryCreateAgent, { name: "fresh" })).toMatchObject({ code: "CONFLICT_ERROR" });
  for (const name of ["Upper", "../x", "1st"])
    expect(await project.call(registryCreateAgent, { name })).toMatchObject({ code: "VALIDATION_ERROR" });
});
