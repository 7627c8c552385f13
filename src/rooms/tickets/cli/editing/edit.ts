import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/definitions/command.ts";
import { completeTicket, ticketHelp, ticketSettings } from "../ticket-argument.ts";

export const edit = defineCommand({
  name: "edit",
  aliases: ["ticket edit"],
  summary: "Edit a ticket in your editor",
  details:
    "Opens the ticket as Markdown in the editor that VISUAL or EDITOR names, else nano or vi, and saves it when the editor " +
    "is closed. If the text cannot be read, or the ticket was changed in the meantime, it says why and asks whether to edit " +
    "again. Your text stays in a file until it is saved.",
  examples: [
    ["forge edit T-001", "Edit it; close the editor to save."],
    ['EDITOR="code --wait" forge edit T-001', "Use an editor with its own window."],
  ],
  arguments: [{ name: "id", required: true, help: ticketHelp }],
  settings: ticketSettings,
  group: "tickets",
  common: true,
  complete: completeTicket,
  async run(app: App, { positionals: [id = ""] }, out) {
    const { editTicket } = await import("./edit-ticket.ts");
    return editTicket(app, id, out);
  },
});
