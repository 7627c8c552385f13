import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";
import { completeTicket, ticketArgument, ticketSettings } from "./ticket-argument.ts";

export const complete = defineCommand({
  name: "complete",
  summary: "Say that a ticket's work is done, and what was done",
  details: "Moves the ticket to COMPLETE. Which files were changed, the branch and the commit are taken from git.",
  examples: [
    ['forge complete T-001 --summary "Sessions are kept for a day."', "Done as intended."],
    ['forge complete T-001 --divergence "session|a day|an hour|auditors"', "Done otherwise, and why."],
  ],
  arguments: [ticketArgument],
  options: {
    summary: { type: "string", help: "What was done, in a few sentences." },
    divergence: {
      type: "list",
      value: "TEXT",
      help: 'Where it is not as the ticket has it: "area|intended|actual|why".',
    },
  },
  settings: ticketSettings,
  group: "tickets",
  complete: completeTicket,
  async run(app: App, { positionals: [id = ""], options }, out) {
    const { runComplete } = await import("./work/index.ts");
    return runComplete(app, { ...options, id }, out);
  },
});
