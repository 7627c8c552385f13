import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/harness/db/store.ts";
import { readSmallFile } from "../../platform/files/small-file.ts";
import { UserReadings } from "./user-readings.ts";

const home = temporaryFolder();

test("what two projects note at once is all kept", async () => {
  const path = join(home(), ".forge", "readings.json");
  const readingsOf = (project: string) => new UserReadings({ project, path, isTrusted: async () => true });
  const projects = Array.from({ length: 8 }, (_, index) => readingsOf(`/projects/${index}`));
  await Promise.all([
    readingsOf("/tickets").note("others"),
    ...projects.map((readings) => readings.note("repository")),
  ]);
  const { others, repositories } = JSON.parse(readSmallFile(path, 10_000) ?? "");
  expect(others).toBeGreaterThan(0);
  expect(Object.keys(repositories)).toHaveLength(projects.length);
  expect(await readingsOf("/elsewhere").hasAny()).toBe(true);
});

test("a home that cannot be written to stops no reading", async () => {
  const readings = new UserReadings({
    project: "/p",
    path: "/dev/null/.forge/readings.json",
    isTrusted: async () => true,
  });
  await expect(readings.note("others")).resolves.toBe(false);
});
