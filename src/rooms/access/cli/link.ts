import { join } from "node:path";
import type { App } from "../../../commons/cli/app.ts";
import { defineCommand, type Output } from "../../../kernel/definitions/command.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { proposalNeedsPerson, proposedElsewhere } from "../remote/errors.ts";
import type { LinkedTeam } from "../remote/login-session.ts";
import { proposalFile, proposalText } from "../remote/team-proposal.ts";
import type { AccessServices } from "../services.ts";
import { serverSettings } from "./server-settings.ts";

export const link = defineCommand({
  name: "link",
  summary: "Use your team's tickets in this project",
  details:
    "Links this project to a team on the server that you are signed in to: from then on its tickets come from there. Other " +
    "projects keep their own. The link is saved in ~/.forge/links.json, by the project's path, and applies to all its work trees. " +
    "Tickets that are in the project itself stay there; forge push-local copies them to the server.\n\nA repository can " +
    `propose a team in ${proposalFile}; you are asked before it is used. --propose writes that file.`,
  examples: [
    ["forge link", "Use the team's tickets here."],
    ["forge link --team engines", "Use those of another of your teams."],
    ["forge link --propose", "Link it, and propose the same to everyone with this repository."],
  ],
  options: {
    team: { type: "string", value: "SLUG", help: "One of your teams (default: the one you are signed in to)." },
    propose: { type: "boolean", help: `Also write ${proposalFile}, to be committed.` },
  },
  settings: serverSettings,
  group: "server",
  async run(app: App, { options }, out) {
    const { team = await proposedTeam(app, out), propose = false } = options;
    if (team === false) {
      out.note("Not linked. Run `forge link --team SLUG` to choose another team.");
      return 1;
    }
    const linked = await linkProject(app, team, out);
    if (propose) await writeProposal(app, linked, out);
    return 0;
  },
});

/** What the repository proposes, once the person has agreed; false where they did not. */
async function proposedTeam(app: App, out: Output): Promise<string | false | undefined> {
  const { login } = await app.room<AccessServices>("access");
  const proposal = login.proposal();
  if (!proposal) return undefined;
  const signedIn = (await login.readSaved())?.server;
  if (signedIn !== proposal.origin) throw proposedElsewhere(proposal, signedIn);
  const { origin, team } = proposal;
  const question = `Link this project to team ${team} on ${origin}, as ${proposalFile} proposes?`;
  const answer = await app.person.confirm(plain(question), out.signal);
  if (answer === undefined) throw proposalNeedsPerson(proposal);
  return answer && team;
}

async function writeProposal(app: App, linked: LinkedTeam, out: Output): Promise<void> {
  await app.files.write(join(app.project.root, proposalFile), proposalText(linked), { force: true });
  out.note(`Wrote ${proposalFile}. Commit it so that others with this repository are asked.`);
}

export const unlink = defineCommand({
  name: "unlink",
  summary: "Use this project's own tickets again",
  details: "Undoes `forge link`. Nothing is removed, here or on the server.",
  examples: [["forge unlink", "Use the project's own tickets."]],
  settings: serverSettings,
  group: "server",
  async run(app: App, _input, out) {
    const { login } = await app.room<AccessServices>("access");
    await app.tools.approve(
      "forge unlink",
      { title: "End the project's link to a team", input: {}, ofUser: true },
      out.signal,
    );
    await login.unlink();
    out.data({ linked: false }, () => "This project uses its own tickets.");
    return 0;
  },
});

/** What is needed of the room that keeps tickets. */
type TicketSource = { pushSource: { local: { count(): Promise<number> } } };

/** Links the project, and says what that means for tickets that are in it. */
export async function linkProject(app: App, slug: string | undefined, out: Output): Promise<LinkedTeam> {
  const { login } = await app.room<AccessServices>("access");
  await app.tools.approve(
    "forge link",
    { title: "Link this project to a team", input: { team: slug }, ofUser: true },
    out.signal,
  );
  const linked = await login.link(slug, out.signal);
  const { server, team } = linked;
  // Opened once the project is linked: a link that no longer works must not keep it from getting another.
  const { pushSource } = await app.room<TicketSource>("tickets");
  const here = await pushSource.local.count();
  out.data({ linked: true, server, team, localTickets: here }, () =>
    plain(`Linked this project to ${team} on ${server}. Its tickets come from there now.`),
  );
  if (here > 0) {
    const what = here === 1 ? "1 ticket is" : `${here} tickets are`;
    out.note(`${what} in the project itself. Run \`forge push-local\` to copy them to the server.`);
  }
  return linked;
}
