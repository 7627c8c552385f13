import type { App } from "../../commons/cli/app.ts";
import type { TrustState } from "../../commons/trust/trust-editor.ts";
import { defineCommand } from "../../kernel/definitions/command.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { plain } from "../../platform/terminal/text.ts";
import type { AccessServices } from "../../rooms/access/services.ts";
import { describeTrust, summarizeTrust } from "./trust/trust-text.ts";

const autoSelection = { toolsets: "auto", profile: undefined, readOnly: false };
const ticketStatus = "ticket status";
const askedWithinMs = 3_000;

export const status = defineCommand({
  name: "status",
  summary: "Show the status of the project or of a ticket",
  details:
    "Without an id: the project, its store, where tickets come from, the toolsets, and whether the project is trusted, with " +
    "everything that trust would allow to run and what has changed since. It runs nothing and creates nothing.\n\n" +
    "With a ticket's id: the ticket's status and what it can change to. With a status too, the ticket changes to it.",
  examples: [
    ["forge status", "The status of this project."],
    ["forge status --json", "The same for a script: `.trust.trusted` is true or false."],
    ["forge status T-001", "The status of a ticket, and what it can change to."],
    ["forge status T-001 done", "Move the ticket to COMPLETE."],
  ],
  // For what to do next: `forge status T-001 READY` is how this tool is called.
  tool: "update_ticket_status",
  arguments: [
    {
      name: "id",
      required: false,
      field: "ticketId",
      help: "A ticket's id; without one, the project's status is shown.",
    },
    { name: "status", required: false, field: "status", help: "The ticket's new status." },
  ],
  settings: ["project", "databaseUrl", "ledgerDays", "apiUrl", "token"],
  group: "look",
  common: true,
  async complete(app: App, place) {
    const { command } = await app.commands.load(ticketStatus);
    return command.complete?.(app, place) ?? [];
  },
  async run(app: App, input, out) {
    if (input.positionals.length > 0) {
      const { command, facts } = await app.commands.load(ticketStatus);
      return command.run(app, input, out, { ...facts, name: "status" });
    }
    const { version, project } = app;
    const served = app.toolsets.report(autoSelection).filter((toolset) => toolset.served);
    const toolsets = served.map(({ name }) => name);
    const [trust, tickets] = await Promise.all([readTrust(app, out.signal), findTicketSource(app, out.signal)]);
    out.data({ version, project, toolsets, tickets, trust }, () => {
      const { store } = project;
      const place = `${plain(store.place)}${store.exists ? "" : " (not created yet)"}`;
      return [
        `Project:   ${out.style.bold(plain(project.root))}${project.inGit ? "" : " (not a git repository)"}`,
        `Store:     ${store.engine === "sqlite" ? `SQLite, ${place}` : `PostgreSQL, ${place}`}`,
        `Tickets:   ${describeSource(tickets)}`,
        `Toolsets:  ${toolsets.join(", ") || "none"}`,
        ...("error" in trust
          ? [`Trust:     ${out.style.red("unknown")}: ${plain(trust.error)}`]
          : [`Trust:     ${summarizeTrust(trust, out.style)}`, describeTrust(trust, out.style)]),
      ].join("\n");
    });
    return 0;
  },
});

/** Trust that cannot be read is part of the status, and does not end it. */
async function readTrust(
  { person }: App,
  signal: AbortSignal,
): Promise<TrustState | { trusted: false; error: string }> {
  try {
    return await person.trust(signal);
  } catch (error) {
    if (error instanceof ForgeError) return { trusted: false, error: error.message };
    throw error;
  }
}

type TicketSource =
  | { from: "project"; proposed?: { server: string; team: string } }
  | { from: "server"; server?: string; team?: string; error?: string };

/** Where tickets come from. A server that does not answer is named too, if this machine knows it. */
async function findTicketSource(app: App, signal: AbortSignal): Promise<TicketSource> {
  const { login } = await app.room<AccessServices>("access");
  const linked = login.ticketServer();
  if (linked === undefined) return { from: "project", ...findProposal(login) };
  const saved = await login.readSaved();
  try {
    const { server, there } = await login.whoAmI(AbortSignal.any([signal, AbortSignal.timeout(askedWithinMs)]));
    return { from: "server", server, ...(there && { team: there.team.name }) };
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    return { from: "server", server: saved?.server ?? new URL(linked).origin, error: error.message };
  }
}

/** A file that cannot be used is reported by `forge link`. */
function findProposal(login: AccessServices["login"]): { proposed?: { server: string; team: string } } {
  try {
    const proposal = login.proposal();
    return proposal ? { proposed: { server: proposal.origin, team: proposal.team } } : {};
  } catch (error) {
    if (error instanceof ForgeError) return {};
    throw error;
  }
}

function describeSource(source: TicketSource): string {
  if (source.from === "project") {
    const { proposed } = source;
    if (!proposed) return "in this project";
    const what = `the repository proposes team ${proposed.team} on ${proposed.server}; to use its tickets, run forge link`;
    return plain(`in this project (${what})`);
  }
  const { server = "a server", team, error } = source;
  const where = team === undefined ? "" : `, team ${plain(team)}`;
  return `${plain(server)}${where}${error === undefined ? "" : ` (${plain(error)})`}`;
}
