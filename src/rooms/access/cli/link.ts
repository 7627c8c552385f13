import type { App } from "../../../commons/cli/app.ts";
import { defineCommand, type Output } from "../../../kernel/definitions/command.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { AccessServices } from "../services.ts";
import { serverSettings } from "./server-settings.ts";

export const link = defineCommand({
  name: "link",
  summary: "Use your team's tickets in this project",
  details:
    "Links this project to the team that you are signed in to: from then on its tickets come from the team's server. Other " +
    "projects keep their own. The link is saved in ~/.forge/links.json, by the project's path, and holds for all work trees. " +
    "Tickets that are in the project itself stay there; forge push-local copies them to the server.",
  examples: [["forge link", "Use the team's tickets here."]],
  settings: serverSettings,
  group: "server",
  async run(app: App, _input, out) {
    await linkProject(app, out);
    return 0;
  },
});

export const unlink = defineCommand({
  name: "unlink",
  summary: "Use this project's own tickets again",
  details: "Ends what forge link began. Nothing is removed, here or on the server.",
  examples: [["forge unlink", "Use the project's own tickets."]],
  settings: serverSettings,
  group: "server",
  async run(app: App, _input, out) {
    const { login } = await app.room<AccessServices>("access");
    await login.unlink();
    out.data({ linked: false }, () => "This project uses its own tickets.");
    return 0;
  },
});

/** What is needed of the room that keeps tickets. */
type TicketSource = { pushSource: { local: { count(): Promise<number> } } };

/** Links the project, and says what that means for tickets that are in it. */
export async function linkProject(app: App, out: Output): Promise<void> {
  const { login } = await app.room<AccessServices>("access");
  const { pushSource } = await app.room<TicketSource>("tickets");
  const here = await pushSource.local.count();
  const { server, team } = await login.link(out.signal);
  out.data({ linked: true, server, team, localTickets: here }, () =>
    plain(`Linked this project to ${team} on ${server}. Its tickets come from there now.`),
  );
  if (here > 0) {
    const what = here === 1 ? "1 ticket is" : `${here} tickets are`;
    out.note(`${what} in the project itself. Run \`forge push-local\` to copy them to the server.`);
  }
}
