import type { App } from "../../commons/cli/app.ts";
import type { TrustState } from "../../commons/trust/trust-desk.ts";
import { defineCommand } from "../../kernel/command.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { plain } from "../../platform/terminal/text.ts";
import { completeTicket, ticketArgument, ticketSettings } from "../../rooms/tickets/cli/ticket-argument.ts";
import { trustAtLength, trustInShort } from "./trust/trust-text.ts";

const everything = { toolsets: "auto", profile: undefined, readOnly: false };

export const status = defineCommand({
  name: "status",
  summary: "Show where a project or ticket stands, or move a ticket",
  details:
    "The project, where its data is, what is served, and whether it is trusted. Trust comes with all that may run and its content's hash, and with what was changed or added since a person " +
    "trusted it. Nothing is run, and nothing is created.\n\n" +
    "With a ticket's id: its status and what it can become. With a status too, it becomes that; names of other generations " +
    "(FORGED, EXECUTING, DELIVERED) are understood.",
  examples: [
    ["forge status", "Where things stand in the current folder."],
    ["forge status --json", "The same for a script: `.trust.trusted` is true or false."],
    ["forge status T-001", "Where a ticket stands, and where it can go."],
    ["forge status T-001 created", "Move it there."],
  ],
  arguments: [
    { ...ticketArgument, required: false, help: "A ticket's id; without one it is about the project." },
    { name: "status", required: false, help: "What the ticket becomes." },
  ],
  settings: ticketSettings,
  group: "look",
  async complete(app: App, place) {
    const [id] = place.positionals;
    if (id === undefined || place.positionals.length > 1) return completeTicket(app, place);
    const { movesFrom } = await import("../../rooms/tickets/cli/work/index.ts");
    const { status, previousStatus } = await (await app.tickets()).get(id);
    return movesFrom(status, previousStatus).map((value) => ({ value }));
  },
  async run(app: App, { positionals: [id, target] }, out) {
    if (id !== undefined) {
      const { runStatus } = await import("../../rooms/tickets/cli/work/index.ts");
      return runStatus(app, id, target, out);
    }
    const project = app.project();
    const served = (await app.toolsets(everything)).filter((toolset) => toolset.served).map(({ name }) => name);
    const [trust, tickets] = await Promise.all([trustOf(app, out.signal), ticketsOf(app, out.signal)]);
    out.data({ version: app.version, project, toolsets: served, tickets, trust }, () => {
      const { store } = project;
      const kept = `${plain(store.place)}${store.exists ? "" : " (not made yet)"}`;
      return [
        `Project:   ${out.style.bold(plain(project.root))}${project.inGit ? "" : " (not in git)"}`,
        `Store:     ${store.engine === "sqlite" ? `SQLite, ${kept}` : `PostgreSQL, ${kept}`}`,
        `Tickets:   ${placeOf(tickets)}`,
        `Toolsets:  ${served.join(", ") || "none"}`,
        ...("error" in trust
          ? [`Trust:     ${out.style.red("unknown")}: ${plain(trust.error)}`]
          : [`Trust:     ${trustInShort(trust, out.style)}`, trustAtLength(trust, out.style)]),
      ].join("\n");
    });
    return 0;
  },
});

/** What keeps trust from being known is part of the status, not the end of it. */
async function trustOf({ person }: App, signal: AbortSignal): Promise<TrustState | { trusted: false; error: string }> {
  try {
    return await person.trust(signal);
  } catch (error) {
    if (error instanceof ForgeError) return { trusted: false, error: error.message };
    throw error;
  }
}

type TicketPlace = { from: "project" } | { from: "server"; server?: string; team?: string; error?: string };

const askedWithinMs = 3_000;

/** Where tickets come from. A server that does not answer is named all the same, where this machine knows it. */
async function ticketsOf(app: App, signal: AbortSignal): Promise<TicketPlace> {
  const access = await app.access();
  const here = await access.signedIn();
  try {
    const { server, there } = await access.whoAmI(AbortSignal.any([signal, AbortSignal.timeout(askedWithinMs)]));
    return { from: "server", server, ...(there && { team: there.team.name }) };
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    if (!here && error.code === "AUTH_REQUIRED") return { from: "project" };
    return { from: "server", ...(here && { server: here.server }), error: error.message };
  }
}

function placeOf(place: TicketPlace): string {
  if (place.from === "project") return "this project's own";
  const { server = "a server", team, error } = place;
  const whose = team === undefined ? "" : `, team ${plain(team)}`;
  return `${plain(server)}${whose}${error === undefined ? "" : ` (${plain(error)})`}`;
}
