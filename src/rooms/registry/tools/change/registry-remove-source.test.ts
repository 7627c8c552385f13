import { expect, test } from "vitest";
import { RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { registryRemoveSource } from "./registry-remove-source.ts";

test("removes one registry, and names those there are where it is unknown", async () => {
  const registries = [
    { name: "a", url: "https://a.example" },
    { name: "b", url: "https://b.example" },
  ];
  const project = new RegistryProject({ ".fractary/config.json": JSON.stringify({ registries, install: { x: 1 } }) });
  expect(await project.call(registryRemoveSource, { name: "c" })).toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringContaining("a, b"),
  });
  await project.call(registryRemoveSource, { name: "a" });
  expect(JSON.parse(project.read(".fractary/config.json"))).toMatchObject({
    registries: [{ name: "b" }],
    install: { x: 1 },
  });
});
