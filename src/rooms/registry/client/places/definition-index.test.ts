import { expect, test } from "vitest";
import { agent, noRegistries, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import type { Entry } from "./stored-entry.ts";

const folder = "~/.fractary/cache/index";
const fileOf = (name: string) => `.fractary/agents/${name}.yaml`;

function open(names: string[]) {
  const agents = Object.fromEntries(names.map((name) => [fileOf(name), agent(name)]));
  const project = new RegistryProject({ ".fractary/config.json": noRegistries, ...agents });
  /** What a new process finds. */
  const list = async () => (await project.again({}).library.open().store.all()).entries;
  const indexFile = () =>
    project
      .names(folder)
      .map((name) => `${folder}/${name}`)
      .find((file) => project.read(file).includes(".fractary/agents")) ?? "";
  return { project, list, indexFile };
}

const named = (entries: Entry[]) => entries.map(({ name }) => name);

test("a file that did not change is not read again; one that did is", async () => {
  const { project, list, indexFile } = open(["a", "b", "c"]);
  await list();
  project.write(indexFile(), project.read(indexFile()).replaceAll("The ", "As indexed, the "));
  expect((await list()).map(({ description }) => description)).toEqual([
    "As indexed, the a",
    "As indexed, the b",
    "As indexed, the c",
  ]);
  project.write(fileOf("b"), agent("b", { description: "Changed" }));
  expect((await list()).map(({ description }) => description)).toEqual([
    "As indexed, the a",
    "Changed",
    "As indexed, the c",
  ]);
});

test("files that are new, gone, broken or no definitions: the index has what there is, in order", async () => {
  const { project, list, indexFile } = open(["b", "d", "f"]);
  await list();
  project.write(fileOf("a"), agent("a"));
  project.write(fileOf("e"), "name: [");
  project.write(".claude/agents/README.md", "# No agent\n");
  project.remove(fileOf("d"));
  expect(named(await list())).toEqual(["a", "b", "f"]);
  const lines = () => project.read(indexFile()).split("\n").slice(1, -1);
  expect(lines().map((line) => /agents\/(\w)\.yaml/.exec(line)?.[1])).toEqual(["a", "b", "e", "f"]);
  const before = project.read(indexFile());
  const store = project.again({}).library.open().store;
  const { warnings } = await store.all();
  expect(warnings).toEqual([expect.stringMatching(/e\.yaml, line \d/)]);
  expect(project.read(indexFile())).toBe(before);
  // The same process, later.
  project.write(fileOf("c"), agent("c"));
  project.remove(fileOf("f"));
  expect(named((await store.all()).entries)).toEqual(["a", "b", "c"]);
  expect(lines()).toHaveLength(4);
});

test("an index that was damaged, cut off or written by another version costs nothing but time", async () => {
  const { project, list, indexFile } = open(["a", "b"]);
  await list();
  const file = indexFile();
  const good = project.read(file);
  for (const text of [
    "",
    "{}",
    good.slice(0, -30),
    good.replace("forge definitions", "other definitions"),
    good.replaceAll('{"kind"', "{kind"),
    good.replaceAll("\n", "\0"),
    `${good}${good}`,
  ]) {
    project.write(file, text);
    expect((await list()).map(({ name, description }) => [name, description])).toEqual([
      ["a", "The a"],
      ["b", "The b"],
    ]);
    expect(project.read(file)).toBe(good);
  }
});
