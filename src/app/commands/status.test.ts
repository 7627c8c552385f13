import { expect, test } from "vitest";
import { CliProject, type RunOptions } from "../../../test/harness/cli.ts";
import { saveSignIn, teamStarter } from "../../../test/harness/listening-team.ts";
import { exists } from "../../../test/harness/store.ts";

const startTeam = teamStarter();

async function ticketsIn(project: CliProject, options: RunOptions = {}) {
  const { out } = await project.run("status", options);
  const { tickets } = (await project.run("status --json", options)).json();
  return { line: out.split("\n").find((line) => line.startsWith("Tickets:")), tickets };
}

test("the project, its store and its toolsets, without creating anything", async () => {
  const project = new CliProject();
  const { out, code } = await project.run("status");
  expect(code).toBe(0);
  expect(out.split("\n").slice(0, 5)).toEqual([
    `Project:   ${project.root} (not a git repository)`,
    `Store:     SQLite, ${project.root}/.forge/forge.db (not created yet)`,
    "Tickets:   in this project",
    "Toolsets:  tickets",
    "Trust:     not trusted",
  ]);
  expect((await project.run("status --json")).json()).toMatchObject({
    version: expect.any(String),
    project: { root: project.root, inGit: false, store: { engine: "sqlite", exists: false } },
    toolsets: ["tickets"],
    tickets: { from: "project" },
    trust: { trusted: false },
  });
  expect(exists(`${project.root}/.forge`)).toBe(false);
});

test("tickets come from the team's server for a user who is signed in", async () => {
  const team = await startTeam();
  const project = new CliProject();
  team.saveSignIn(project);
  expect(await ticketsIn(project)).toEqual({
    line: `Tickets:   ${team.url}, team Acme`,
    tickets: { from: "server", server: team.url, team: "Acme" },
  });
  expect(await ticketsIn(new CliProject(), { env: team.envOf(team.admin) })).toMatchObject({
    line: `Tickets:   ${team.url}, team Acme`,
  });
});

test("a server that does not answer is named, with what is wrong, and the rest is shown", async () => {
  const team = await startTeam();
  const project = new CliProject();
  saveSignIn(project, "http://127.0.0.1:1", team.admin.pair);
  const { line, tickets } = await ticketsIn(project);
  expect(line).toMatch(/^Tickets: {3}http:\/\/127\.0\.0\.1:1 \(.+\)$/);
  expect(tickets).toEqual({ from: "server", server: "http://127.0.0.1:1", error: expect.any(String) });
});
