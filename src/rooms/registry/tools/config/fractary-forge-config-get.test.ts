import { expect, test } from "vitest";
import { RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeConfigGet } from "./fractary-forge-config-get.ts";

test("C07 walks own properties only, and redacts secrets", async () => {
  const project = new RegistryProject({
    "~/.fractary/config.json": JSON.stringify({
      registries: [{ name: "a", url: "https://a.example" }],
      install: { api_key: "SECRET", token_env: "NAME" },
    }),
  });
  const get = (key: string) => project.call(fractaryForgeConfigGet, { key });
  expect(await get("registries.0.url")).toEqual({ key: "registries.0.url", value: "https://a.example/", exists: true });
  expect(await get("install.api_key")).toMatchObject({ value: "[redacted]" });
  expect(await get("install.token_env")).toMatchObject({ value: "NAME" });
  for (const key of ["__proto__.x", "constructor.constructor", "registries.length.x", "registries.9", "nothing"])
    expect(await get(key)).toEqual({ key, value: null, exists: false });
});
