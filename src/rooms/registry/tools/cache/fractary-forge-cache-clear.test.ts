import { expect, test } from "vitest";
import { RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeCacheClear } from "./fractary-forge-cache-clear.ts";

test("I18 removes only what the cache wrote, by type and age", async () => {
  const project = new RegistryProject({
    "~/.fractary/cache/manifests/precious.json": "mine",
    "~/.fractary/cache/photo.jpg": "mine",
  });
  const { cache } = project.library.open();
  const put = (bucket: "manifests" | "downloads", key: string, days: number) =>
    cache.put(bucket, { key, body: key, fetchedAt: Date.now() - days * 86_400_000, ttl: 60 });
  await put("manifests", "old", 40);
  await put("manifests", "new", 1);
  await put("downloads", "old", 40);
  project.write(`~/.fractary/cache/manifests/${"a".repeat(64)}.json`, JSON.stringify({ key: "other", body: "x" }));
  expect(await project.call(fractaryForgeCacheClear, { olderThan: 30, dryRun: true })).toMatchObject({
    cleared: { manifests: 1, downloads: 1 },
  });
  expect(await project.call(fractaryForgeCacheClear, { type: "manifests", olderThan: 30 })).toMatchObject({
    success: true,
    cleared: { manifests: 1, downloads: 0 },
  });
  expect(await project.call(fractaryForgeCacheClear)).toMatchObject({ cleared: { manifests: 1, downloads: 1 } });
  expect(project.names("~/.fractary/cache/manifests")).toEqual([`${"a".repeat(64)}.json`, "precious.json"]);
  expect(await cache.get("manifests", "new")).toBeUndefined();
});

test("I18 an entry that was changed on disk does not count", async () => {
  const project = new RegistryProject();
  const { cache } = project.library.open();
  await cache.put("manifests", { key: "k", body: "good", fetchedAt: Date.now(), ttl: 60 });
  const [file = ""] = project.names("~/.fractary/cache/manifests");
  const text = project.read(`~/.fractary/cache/manifests/${file}`);
  project.write(`~/.fractary/cache/manifests/${file}`, text.replace('"good"', '"evil"'));
  expect(await cache.get("manifests", "k")).toBeUndefined();
});
