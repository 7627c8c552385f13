import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand } from "../../../../kernel/definitions/command.ts";
import { textNeedsRevision } from "../errors.ts";
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
    ["forge edit T-001 --text T-001.md --revision 4", "Save a text that was made of revision 4, without an editor."],
  ],
  arguments: [{ name: "id", required: true, help: ticketHelp }],
  options: {
    text: { type: "string", value: "FILE", help: "Save this text instead of opening an editor; needs --revision." },
    revision: { type: "string", value: "N", help: "The ticket's revision that the text was made of." },
  },
  settings: ticketSettings,
  group: "tickets",
  common: true,
  complete: completeTicket,
  async run(app: App, { positionals: [id = ""], options: { text, revision } }, out) {
    const { editTicket, saveText } = await import("./edit-ticket.ts");
    if (text === undefined && revision === undefined) return editTicket(app, id, out);
    if (text === undefined || !/^[1-9]\d{0,14}$/.test(revision ?? "")) throw textNeedsRevision(id);
    return saveText(app, id, { text, revision: Number(revision) }, out);
  },
});
