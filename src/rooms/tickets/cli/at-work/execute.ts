import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/command.ts";
import { completeTicket, ticketArgument, ticketSettings } from "../ticket-argument.ts";
import { launchOption } from "./launch-option.ts";

export const execute = defineCommand({
  name: "execute",
  summary: "Have an assistant carry out a ticket",
  details:
    "Checks that the ticket can be carried out (READY or VALIDATED, or CREATED and yours) and assigns it to you where it is nobody's. On a terminal it says how to connect " +
    "your assistant, shows what that does with the ticket, and waits for Ctrl+C; with --launch it starts the assistant. " +
    "Where stdin is no terminal it serves the tickets tools over MCP on stdin and stdout, and the ticket is taken for as " +
    "long as that lasts.",
  examples: [
    ["forge execute T-001", "Take it up, and see what your assistant does."],
    ["forge execute T-001 --launch", "Take it up with Claude Code, on this terminal."],
    ["forge execute T-001 --launch codex", "With another assistant."],
  ],
  arguments: [ticketArgument],
  options: { launch: launchOption },
  settings: ticketSettings,
  group: "tickets",
  complete: completeTicket,
  async run(app: App, { positionals: [id = ""], options }, out) {
    const { runWork } = await import("./run-work.ts");
    return runWork(app, { gate: "execute", id, launch: options.launch }, out);
  },
});
