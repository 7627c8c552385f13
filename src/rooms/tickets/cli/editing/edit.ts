import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/command.ts";
import { completeTicket, ticketArgument, ticketSettings } from "../ticket-argument.ts";

export const edit = defineCommand({
  name: "edit",
  summary: "Edit a ticket in your editor",
  details:
    "Opens the ticket as Markdown in the editor that VISUAL or EDITOR names, else nano or vi, and saves it when the editor " +
    "ends. Where the text is not right, or the ticket was changed meanwhile, it says why and asks whether to go on; what " +
    "you wrote stays in a file until it is saved.",
  examples: [
    ["forge edit T-001", "Edit it, and save it by leaving the editor."],
    ['EDITOR="code --wait" forge edit T-001', "In an editor of its own window."],
  ],
  arguments: [ticketArgument],
  settings: ticketSettings,
  group: "tickets",
  complete: completeTicket,
  async run(app: App, { positionals: [id = ""] }, out) {
    const { editTicket } = await import("./edit-ticket.ts");
    return editTicket(app, id, out);
  },
});
