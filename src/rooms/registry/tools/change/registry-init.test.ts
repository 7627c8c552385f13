import { expect, test } from "vitest";
import { RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { registryInit } from "./registry-init.ts";

test("writes the defaults once, for the project or the user", async () => {
  const project = new RegistryProject();
  expect(await project.call(registryInit, { dryRun: true })).toMatchObject({ dryRun: true });
  await project.call(registryInit, { organization: "acme" });
  expect(JSON.parse(project.read(".fractary/config.json"))).toMatchObject({
    organization: "acme",
    registries: [{ name: "fractary-core" }],
  });
  expect(await project.call(registryInit)).toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await project.call(registryInit, { validateOnly: true })).toMatchObject({
    sources: [project.path(".fractary/config.json")],
  });
  await project.call(registryInit, { registry: "https://forge.acme.example", force: true });
  expect(JSON.parse(project.read(".fractary/config.json"))).toMatchObject({
    registries: [{ name: "team", type: "stockyard", url: "https://forge.acme.example/" }, { name: "fractary-core" }],
  });
  await project.call(registryInit, { global: true });
  expect(project.read("~/.fractary/config.json")).toContain("fractary-core");
});
