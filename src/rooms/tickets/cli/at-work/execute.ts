import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/definitions/command.ts";
import { completeTicket, ticketHelp, ticketSettings } from "../ticket-argument.ts";
import { launchOption } from "./launch-option.ts";

export const execute = defineCommand({
  name: "execute",
  aliases: ["ticket execute"],
  summary: "Run a ticket with an assistant",
  details:
    "Checks that the ticket can be run (READY or VALIDATED, or CREATED and yours), assigns it to you if it is unassigned, and " +
    "starts it on its own branch as `forge start` does. " +
    "On a terminal it shows how to connect your assistant and what the assistant does with the ticket, until you press " +
    "Ctrl+C; with --launch it starts the assistant. When stdin is not a terminal it serves the tickets tools over MCP on " +
    "stdin and stdout, and the ticket is claimed for as long as that lasts.",
  examples: [
    ["forge execute T-001", "Start it, and see what your assistant does."],
    ["forge execute T-001 --launch", "Start it with Claude Code on this terminal."],
    ["forge execute T-001 --launch codex", "Start it with another assistant."],
  ],
  arguments: [{ name: "id", required: true, help: ticketHelp }],
  options: { launch: launchOption },
  settings: ticketSettings,
  group: "tickets",
  common: true,
  complete: completeTicket,
  async run(app: App, { positionals: [id = ""], options }, out) {
    const { runWork } = await import("./run-work.ts");
    return runWork(app, { gate: "execute", id, launch: options.launch }, out);
  },
});
