import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/command.ts";
import { completeTicket, ticketArgument, ticketSettings } from "../ticket-argument.ts";
import { launchOption } from "./launch-option.ts";

export const review = defineCommand({
  name: "review",
  summary: "Have an assistant review a ticket and ask its questions",
  details:
    "Checks that the ticket can be reviewed (READY, VALIDATED, CREATED or DRIFTED). On a terminal it says how to connect " +
    "your assistant, shows what that does with the ticket, and waits for Ctrl+C; with --launch it starts the assistant. " +
    "Where stdin is no terminal it serves the tickets tools over MCP on stdin and stdout, and the ticket is taken for as " +
    "long as that lasts.",
  examples: [
    ["forge review T-001", "Take it up, and see what your assistant does."],
    ["forge review T-001 --launch", "Take it up with Claude Code, on this terminal."],
    ["forge review T-001 --launch codex", "With another assistant."],
  ],
  arguments: [ticketArgument],
  options: { launch: launchOption },
  settings: ticketSettings,
  group: "tickets",
  complete: completeTicket,
  async run(app: App, { positionals: [id = ""], options }, out) {
    const { runWork } = await import("./run-work.ts");
    return runWork(app, { gate: "review", id, launch: options.launch }, out);
  },
});
