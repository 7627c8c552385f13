import { describe, expect, it } from "vitest";
import { CliProject } from "../../../../test/harness/cli/cli.ts";
import { removeFile } from "../../../../test/harness/db/store.ts";
import { saveLink, teamStarter } from "../../../../test/harness/http/listening-team.ts";

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
  }, 60_000);

  it("goes on by itself in a project that worked with the server before there were links", async () => {
    const team = await startTeam();
    const project = new CliProject();
    team.saveSignIn(project);
    await project.do(["create", "On the server"]);
    removeFile(`${project.home}/.forge/links.json`);
    expect(await project.do("list --tsv")).toContain("On the server");
  }, 60_000);

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
  }, 60_000);
});
