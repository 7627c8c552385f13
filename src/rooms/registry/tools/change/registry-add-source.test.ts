import { expect, test } from "vitest";
import { RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { registryAddSource } from "./registry-add-source.ts";
import { registryRemoveSource } from "./registry-remove-source.ts";

test("adds to the one shape that is written, and keeps what others had", async () => {
  const project = new RegistryProject({
    ".fractary/config.yaml": "forge:\n  registry:\n    stockyard: {url: https://two.example}\nwork: {x: 1}\n",
  });
  const acme = { url: "https://acme.example", priority: 2, scopes: ["@acme"], tokenEnv: "ACME" };
  expect(await project.call(registryAddSource, { name: "acme", ...acme })).toMatchObject({
    warnings: ["A token from ACME is sent once your own configuration has this registry, too."],
    next: [{ command: "registry source add NAME URL --global" }],
  });
  expect(JSON.parse(project.read(".fractary/config.json"))).toMatchObject({
    registries: [
      { name: "stockyard", url: "https://two.example/" },
      { name: "acme", type: "stockyard", priority: 2, scopes: ["@acme"], auth: { token_env: "ACME" } },
    ],
  });
  expect(project.read(".fractary/config.yaml")).toContain("work: {x: 1}");
  expect(await project.call(registryAddSource, { name: "acme", url: "https://x.example" })).toMatchObject({
    code: "CONFLICT_ERROR",
  });
  for (const url of ["https://u:p@x.example", "ftp://x.example", "javascript:alert(1)"])
    expect(await project.call(registryAddSource, { name: "bad", url })).toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await project.call(registryAddSource, { name: "dry", url: "https://x.example", dryRun: true })).toMatchObject({
    dryRun: true,
  });
  expect(project.read(".fractary/config.json")).not.toContain("dry");
});

test("G07 a project's registries never get into the user's own configuration, nor do the user's get lost", async () => {
  const list = (name: string) =>
    JSON.stringify({ registries: [{ name, url: `https://${name}.example`, note: "kept" }] });
  const project = new RegistryProject({
    ".fractary/config.json": list("theirs"),
    "~/.fractary/config.json": list("mine"),
  });
  await project.call(registryAddSource, { name: "new", url: "https://new.example", global: true });
  expect(JSON.parse(project.read("~/.fractary/config.json"))).toMatchObject({
    registries: [{ name: "mine", note: "kept" }, { name: "new" }],
  });
  await project.call(registryRemoveSource, { name: "mine", global: true });
  expect(JSON.parse(project.read("~/.fractary/config.json"))).toMatchObject({ registries: [{ name: "new" }] });
  project.remove("~/.fractary/config.json");
  await project.call(registryAddSource, { name: "first", url: "https://first.example", global: true });
  expect(JSON.parse(project.read("~/.fractary/config.json"))).toMatchObject({ registries: [{ name: "first" }] });
});
