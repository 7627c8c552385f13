import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/definitions/command.ts";
import { completeTicket, ticketHelp, ticketSettings } from "../ticket-argument.ts";
import { launchOption } from "./launch-option.ts";

export const review = defineCommand({
  name: "review",
  aliases: ["ticket review"],
  summary: "Have an assistant review a ticket and ask questions",
  details:
    "Checks that the ticket can be reviewed (READY, VALIDATED, CREATED or DRIFTED). On a terminal it shows how to connect " +
    "your assistant and what the assistant does with the ticket, until you press Ctrl+C; with --launch it starts the " +
    "assistant. When stdin is not a terminal it serves the tickets tools over MCP on stdin and stdout.",
  examples: [
    ["forge review T-001", "Start it, and see what your assistant does."],
    ["forge review T-001 --launch", "Start it with Claude Code on this terminal."],
    ["forge review T-001 --launch codex", "Start it with another assistant."],
  ],
  arguments: [{ name: "id", required: true, help: ticketHelp }],
  options: { launch: launchOption },
  settings: ticketSettings,
  group: "tickets",
  complete: completeTicket,
  async run(app: App, { positionals: [id = ""], options }, out) {
    const { runWork } = await import("./run-work.ts");
    return runWork(app, { gate: "review", id, launch: options.launch }, out);
  },
});
