import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ProjectLinks } from "./project-links.ts";

const link = { api: "https://forge.example/api", team: "acme", at: "2026-11-16T00:00:00Z" };

function makeFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-links-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a link is of the folder: another one at its path has none", async () => {
  const folder = makeFolder();
  const [project, aside] = [join(folder, "shop"), join(folder, "aside")];
  mkdirSync(project);
  const links = new ProjectLinks(join(folder, "home", "links.json"));
  mkdirSync(join(folder, "home"));
  await links.set(join(project, ".forge"), link);
  expect(links.find(join(project, ".forge"))).toEqual(link);
  renameSync(project, aside);
  mkdirSync(project);
  expect(links.find(join(project, ".forge"))).toBeUndefined();
  rmSync(project, { recursive: true });
  renameSync(aside, project);
  expect(links.find(join(project, ".forge"))).toEqual(link);
});

test("projects that are linked at the same time are all linked", async () => {
  const folder = makeFolder();
  const path = join(folder, "links.json");
  const states = Array.from({ length: 8 }, (_, index) => join(folder, `p${index}`, ".forge"));
  await Promise.all(states.map((state) => new ProjectLinks(path).set(state, link)));
  expect(states.map((state) => new ProjectLinks(path).find(state))).toEqual(states.map(() => link));
});
