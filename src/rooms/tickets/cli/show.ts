import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";
import { completeTicket, ticketArgument, ticketSettings } from "./ticket-argument.ts";

export const show = defineCommand({
  name: "show",
  summary: "Show a ticket whole",
  details: "All that it says, where it stands and can go, its questions with the open ones first, and who is on it.",
  examples: [
    ["forge show T-001", "Read a ticket."],
    ["forge show T-001 --history", "And what happened to it, the oldest first."],
  ],
  arguments: [ticketArgument],
  options: { history: { type: "boolean", help: "Also show what happened to it." } },
  settings: ticketSettings,
  group: "tickets",
  complete: completeTicket,
  async run(app: App, { positionals: [id = ""], options }, out) {
    const { runShow } = await import("./work/index.ts");
    return runShow(app, { id, history: options.history ?? false }, out);
  },
});
