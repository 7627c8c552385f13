import { expect, test } from "vitest";
import { CliProject, type RunOptions } from "../../../test/harness/cli/cli.ts";
import { exists } from "../../../test/harness/db/store.ts";
import { saveSignIn, teamStarter } from "../../../test/harness/http/listening-team.ts";
import { onlyRoom } from "../../../test/harness/rooms/fixture-room.ts";
import type { App } from "../../commons/cli/app.ts";
import { defineCommand } from "../../kernel/definitions/command.ts";

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
    "Toolsets:  tickets, memory",
    "Trust:     not trusted",
  ]);
  expect((await project.run("status --json")).json()).toMatchObject({
    version: expect.any(String),
    project: { root: project.root, inGit: false, store: { engine: "sqlite", exists: false } },
    toolsets: ["tickets", "memory"],
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

test("with a ticket's id it is the ticket's command, which also completes it", async () => {
  const ticketStatus = defineCommand({
    name: "ticket status",
    summary: "Show and change a ticket's status",
    examples: [],
    settings: [],
    group: "tickets",
    arguments: [
      { name: "id", required: true, help: "The ticket." },
      { name: "status", required: false, help: "Its new status." },
    ],
    complete: async (_app: App, { positionals }) => [{ value: positionals.length === 0 ? "T-001" : "ready" }],
    async run(_app: App, { positionals }, out) {
      out.data({ positionals }, () => positionals.join(" becomes "));
      return 0;
    },
  });
  const roomSet = await onlyRoom({ commands: [ticketStatus] });
  const project = new CliProject();
  expect(await project.run("status T-001", { roomSet })).toMatchObject({ code: 0, out: "T-001\n" });
  expect((await project.run("status T-001 ready", { roomSet })).out).toBe("T-001 becomes ready\n");
  expect((await project.run("status T-001 ready --json", { roomSet })).json()).toEqual({
    positionals: ["T-001", "ready"],
  });
  expect((await project.run(["__complete", "--", "status", "T"], { roomSet })).out).toContain("T-001");
  expect((await project.run(["__complete", "--", "status", "T-001", ""], { roomSet })).out).toContain("ready");
});
