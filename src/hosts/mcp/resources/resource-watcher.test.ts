import { expect, test } from "vitest";
import type { Runtime } from "../../../kernel/calls/invoke.ts";
import type { Resource } from "../../../kernel/definitions/resource.ts";
import { ResourceWatcher } from "./resource-watcher.ts";

test("a connection watches so many resources at most; one that it gives up makes room", async () => {
  let watched = 0;
  const watch = () => {
    watched++;
    return () => watched--;
  };
  const item = { watch } as unknown as Resource<unknown>;
  const watcher = new ResourceWatcher(
    async () => ({ item, runtime: {} as Runtime<unknown> }),
    () => undefined,
  );
  for (let index = 0; index < 200; index++) await watcher.watch(`forge://tickets/T-${index}`);
  await expect(watcher.watch("forge://tickets/T-500")).rejects.toThrow("200 resources");
  await watcher.watch("forge://tickets/T-0");
  expect(watched).toBe(200);
  watcher.unwatch("forge://tickets/T-0");
  await watcher.watch("forge://tickets/T-500");
  watcher.close();
  expect(watched).toBe(0);
});
