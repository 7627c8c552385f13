import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { App } from "../../src/commons/cli/app.ts";
import { CliProject } from "../harness/cli/cli.ts";
import { removeFile } from "../harness/db/store.ts";
import { saveLink, teamStarter } from "../harness/http/listening-team.ts";

const startTeam = teamStarter();

/** Somebody who is signed in, in a project that has a ticket of its own and no link. */
async function startUnlinked() {
  const team = await startTeam();
  const project = new CliProject();
  team.saveSignIn(project);
  removeFile(`${project.home}/.forge/links.json`);
  await project.do(["create", "Local one"]);
  return { team, project };
}

describe("forge link", () => {
  it("is what makes a project the team's; a sign-in alone changes nothing", async () => {
    const { project } = await startUnlinked();
    expect(await project.do("list --tsv")).toContain("Local one");
    expect((await project.run("push-local")).err).toContain("Run `forge link` to link the project.");
    const linked = await project.run("link");
    expect(linked).toMatchObject({ code: 0, out: expect.stringContaining("Linked this project to ") });
    expect(linked.err).toContain("1 ticket is in the project itself. Run `forge push-local` to copy them");
    expect(await project.do("list --tsv")).not.toContain("Local one");
    await project.do("push-local");
    expect(await project.do("list --tsv")).toContain("Local one");
    await project.do(["create", "On the server"]);
    expect(await project.do("unlink")).toContain("its own tickets");
    expect(await project.do("list --tsv")).not.toContain("On the server");
  });

  it("goes on by itself in a project that worked with the server before there were links", async () => {
    const team = await startTeam();
    const project = new CliProject();
    team.saveSignIn(project);
    await project.do(["create", "On the server"]);
    removeFile(`${project.home}/.forge/links.json`);
    expect(await project.do("list --tsv")).toContain("On the server");
  });

  it("leaves a project local that never worked with a server, whatever the sign-in", async () => {
    const { team, project } = await startUnlinked();
    expect((await project.run("status --json")).json()["tickets"]).toEqual({ from: "project" });
    // A sign-in that cannot be used, or is for another server, is of no interest here.
    const env = { FORGE_API_URL: "https://elsewhere.example/api" };
    expect((await project.run("list --tsv", { env })).out).toContain("Local one");
    writeFileSync(`${project.home}/.forge/config.json`, "{", { mode: 0o600 });
    expect(await project.do("list --tsv")).toContain("Local one");
    // A token in the environment is used everywhere.
    const tickets = await project.run("list --tsv", { env: team.envOf(team.admin) });
    expect(tickets).toMatchObject({ code: 0, out: expect.not.stringContaining("Local one") });
  });

  it("names its team: requests are for that team, whatever team the sign-in is in", async () => {
    const { team, project } = await startUnlinked();
    await project.do("team create Wheels");
    const linked = await project.run("link --team wheels");
    expect(linked.out).toContain("Linked this project to Wheels on ");
    await project.do(["create", "Of the wheels"]);
    expect(await project.do("list --tsv")).toContain("Of the wheels");
    expect((await project.run("whoami --json")).json()).toMatchObject({ there: { team: { slug: "wheels" } } });
    expect((await project.run("status --json")).json()["tickets"]).toMatchObject({ from: "server", team: "Wheels" });
    // The same sign-in elsewhere is in its own team still.
    const other = await project.run("list --tsv", { env: team.envOf(team.admin) });
    expect(other).toMatchObject({ code: 0, out: expect.not.stringContaining("Of the wheels") });
    const wrong = await project.run("link --team wheel");
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining("Did you mean `wheels`?") });
    expect(wrong.err).toContain("Your teams: acme, wheels.");
  });

  it("after a sign-out says to sign in, and does not split the work by showing the project's own tickets", async () => {
    const { team, project } = await startUnlinked();
    await project.do("link");
    removeFile(`${project.home}/.forge/config.json`);
    const { code, out, err } = await project.run("list --tsv");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(`This project is linked to ${team.url}, but you are not signed in there.`);
    expect(err).toContain(`Run \`forge login --url ${team.url}\` to sign in.`);
    await project.do("unlink");
    expect(await project.do("list --tsv")).toContain("Local one");
  });

  it("a file in the repository only proposes one, and a person confirms", async () => {
    const { team, project } = await startUnlinked();
    const answering = (answer: boolean | undefined, asked: string[] = []) => ({
      with: (app: App) => ({
        person: {
          ...app.person,
          confirm: async (question: string) => {
            asked.push(question);
            return answer;
          },
        },
      }),
    });
    project.write(".forge-team.json", JSON.stringify({ server: team.url, team: "acme" }));
    // Nothing happens by itself, also for an assistant.
    expect(await project.do("list --tsv")).toContain("Local one");
    expect((await project.run("status --json")).json()["tickets"]).toEqual({
      from: "project",
      proposed: { server: team.url, team: "acme" },
    });
    const alone = await project.run("link", answering(undefined));
    expect(alone).toMatchObject({ code: 1, err: expect.stringContaining("a person confirms that") });
    expect((await project.run("link", answering(false))).code).toBe(1);
    expect(await project.do("list --tsv")).toContain("Local one");
    const asked: string[] = [];
    expect(await project.run("link", answering(true, asked))).toMatchObject({ code: 0 });
    expect(asked).toEqual([`Link this project to team acme on ${team.url}, as .forge-team.json proposes?`]);
    expect(await project.do("list --tsv")).not.toContain("Local one");
  });

  it("G07 a file that proposes another server gets no token, and says where it would lead", async () => {
    const { project } = await startUnlinked();
    let requests = 0;
    const evil = createServer((_request, response) => {
      requests++;
      response.end();
    });
    await new Promise<void>((listening) => evil.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void evil.close());
    const origin = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
    project.write(".forge-team.json", JSON.stringify({ server: origin, team: "acme" }));
    const { code, err } = await project.run("link");
    expect(code).toBe(1);
    expect(err).toContain(`The repository proposes team acme on ${origin}, but you are signed in to `);
    for (const line of ["list", "status", "whoami"]) await project.run(line);
    expect(requests).toBe(0);
    project.write(".forge-team.json", '{"server":"javascript:alert(1)","team":"../x"}');
    expect(await project.run("link")).toMatchObject({ code: 1, err: expect.stringContaining("cannot be used") });
  });

  it("--propose writes that file for others", async () => {
    const { team, project } = await startUnlinked();
    const { err } = await project.run("link --propose");
    expect(err).toContain("Wrote .forge-team.json. Commit it");
    const text = readFileSync(join(project.root, ".forge-team.json"), "utf8");
    expect(JSON.parse(text)).toEqual({ server: team.url, team: "acme" });
  });

  it("is a way out of a link to a server that the user is not signed in to", async () => {
    const { project } = await startUnlinked();
    saveLink(project.home, project.root, { apiUrl: "https://gone.example/api", teamId: "t" });
    expect((await project.run("list")).err).toContain("forge link");
    expect(await project.run("link")).toMatchObject({ code: 0 });
  });

  it("never mixes up two servers", async () => {
    const [team, other] = [await startTeam(), await startTeam()];
    const project = new CliProject();
    other.saveSignIn(project);
    await project.do(["create", "On the other server"]);
    team.saveSignIn(project);
    saveLink(project.home, project.root, { apiUrl: `${other.url}/api`, teamId: "t" });
    const { code, err } = await project.run("list");
    expect(code).toBe(1);
    expect(err).toContain(`This project is linked to ${other.url}, but you are signed in to ${team.url}.`);
  });
});
