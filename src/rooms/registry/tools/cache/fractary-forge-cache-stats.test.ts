import { expect, test } from "vitest";
import { RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeCacheStats } from "./fractary-forge-cache-stats.ts";

test("an empty cache, and one with entries; the old location is reported", async () => {
  const project = new RegistryProject({ "~/.fractary/registry/cache/core.json": "{}" });
  expect(await project.call(fractaryForgeCacheStats)).toEqual({
    manifests: { count: 0, size: "0 B", oldestEntry: "", newestEntry: "" },
    downloads: { count: 0, size: "0 B" },
    totalSize: "0 B",
    location: project.path("~/.fractary/cache"),
    legacy: { location: project.path("~/.fractary/registry/cache"), entries: 1 },
  });
  await project.library
    .open()
    .cache.put("manifests", { key: "k", body: "x".repeat(3000), fetchedAt: 1_000_000, ttl: 60 });
  expect(await project.call(fractaryForgeCacheStats)).toMatchObject({
    manifests: { count: 1, size: expect.stringMatching(/^3\.\d KB$/), oldestEntry: "1970-01-01T00:16:40.000Z" },
  });
});

test("a linked, relative or impossible cache folder is one clear error", async () => {
  const linked = new RegistryProject({ "~/elsewhere/x": "" });
  linked.link("~/.fractary-cache", "~/elsewhere");
  for (const place of [linked.path("~/.fractary-cache"), "relative/cache", "/"]) {
    const project = new RegistryProject({}, { env: { FRACTARY_CACHE_DIR: place } });
    expect(await project.call(fractaryForgeCacheStats)).toMatchObject({
      code: "CONFIG_ERROR",
      message: expect.stringMatching(/symbolic link|absolute path|root folder of a disk/),
    });
  }
});
