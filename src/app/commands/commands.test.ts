import { describe, expect, test } from "vitest";
import { CliProject, run } from "../../../test/harness/cli/cli.ts";
import { widthOf } from "../../platform/terminal/text.ts";
import { commandSource } from "./command-source.ts";
import { triedWords } from "./tried-words.ts";

test("version", async () => {
  const { out } = await run("version");
  expect(out).toMatch(/^forge \d+\.\d+\.\d+\n$/);
  expect((await run("version --json")).json()).toEqual({
    version: out.trim().slice("forge ".length),
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
  });
  expect((await run("-v")).out).toBe(out);
  expect((await run("mcp --version")).out).toBe(out);
});

describe("forge alone", () => {
  test("says where you are and three next commands, on one screen", async () => {
    const project = new CliProject();
    const { out, err, code } = await project.run("");
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toContain(`Project:   ${project.root} (not a git repository)\n`);
    expect(out).toContain(`Data:      ${project.root}/.forge/forge.db (not created yet)\n`);
    expect(out).toContain("  forge init              Connect your AI assistants to this project.\n");
    const lines = out.trimEnd().split("\n");
    expect(lines.filter((line) => line.startsWith("  forge "))).toHaveLength(3);
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.filter((line) => !line.includes(project.root)).map(widthOf))).toBeLessThanOrEqual(80);
  });

  test("has other advice once there is a store, and is data with --json", async () => {
    const project = new CliProject();
    await project.inside(async (program) => (await program.store()).ledger.flush());
    await project.do("log");
    expect((await project.run("")).out).toContain("  forge list              See your tickets.\n");
    expect((await project.run("--json")).json()).toMatchObject({
      project: { store: { exists: true } },
      toolsets: ["tickets", "memory"],
      next: ["forge list", "forge execute ID", "forge log"],
    });
  });
});

describe("words that people try", () => {
  test.each(Object.keys(triedWords))("forge %s is answered with the right command", async (word) => {
    const { code, out, err } = await run(word);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(`There is no command \`forge ${word}\`.`);
    expect(err).toMatch(/\n {2}Run `forge /);
    expect(err).not.toContain("forge call ");
  });

  test("none of them is a command, and what they lead to is one", async () => {
    const known = commandSource.names.flatMap(({ name, aliases }) => [name, ...aliases]);
    for (const word of Object.keys(triedWords)) expect(known).not.toContain(word);
    for (const word of ["todo", "board", "config", "delete"]) expect(Object.keys(triedWords)).toContain(word);
  });
});
