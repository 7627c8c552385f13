import { commandFor } from "../../../../commons/cli/command-for.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { updateTicket } from "../../tools/update-ticket.ts";
import { textNeedsRevision } from "../errors.ts";
import { completeTicket, ticketArgument, ticketSettings } from "../ticket-argument.ts";

type Input = Parameters<typeof updateTicket.run>[1];

export const edit = commandFor<typeof updateTicket>({
  tool: "update_ticket",
  name: "edit",
  aliases: ["ticket edit"],
  summary: "Edit a ticket in your editor, or set its fields",
  details:
    "Opens the ticket as Markdown in the editor that VISUAL or EDITOR names, else nano or vi, and saves it when the editor " +
    "is closed. If the text cannot be read, or the ticket was changed in the meantime, it says why and asks whether to edit " +
    "again. Your text stays in a file until it is saved. With flags for fields, only these are set: a list replaces the " +
    "previous one, and an empty value clears a field.",
  examples: [
    ["forge edit T-001", "Edit it; close the editor to save."],
    ["forge ticket edit T-001 --priority high --label web", "Set its priority and its labels."],
    ["forge edit T-001 --depends-on T-002", "Make it wait for T-002."],
    ['EDITOR="code --wait" forge edit T-001', "Use an editor with its own window."],
    ["forge edit T-001 --text T-001.md --revision 4", "Save a text that is based on revision 4, without an editor."],
  ],
  settings: ticketSettings,
  group: "tickets",
  arguments: [ticketArgument],
  only: true,
  options: {
    title: { value: "TEXT", help: "New title." },
    description: { value: "TEXT", help: "New description." },
    priority: { help: "New priority." },
    type: { help: "New type." },
    labels: { flag: "label", value: "LABEL", help: "Label." },
    dependsOn: { flag: "depends-on", value: "ID", help: "Ticket that has to be done first." },
    acceptanceCriteria: { flag: "criterion", value: "TEXT", help: "Acceptance criterion." },
  },
  own: {
    text: { type: "string", value: "FILE", help: "Save this text instead of opening an editor; needs --revision." },
    revision: { type: "string", value: "N", help: "The ticket's revision that the text is based on." },
  },
  complete: completeTicket,
  toInput: (given) => given as Input,
  async instead(input, out, { app, options }) {
    const { text, revision } = options;
    const { ticketId, ...fields } = input;
    if (text === undefined && revision === undefined && Object.keys(fields).length > 0) return undefined;
    const { editTicket, saveText } = await import("./edit-ticket.ts");
    if (text === undefined && revision === undefined) return editTicket(app, ticketId, out);
    const isRevision = typeof revision === "string" && /^[1-9]\d{0,14}$/.test(revision);
    if (typeof text !== "string" || !isRevision) throw textNeedsRevision(ticketId);
    return saveText(app, ticketId, { text, revision: Number(revision) }, out);
  },
  json: ({ ticketId, status, revision }) => ({ id: ticketId, status, revision }),
  print({ ticketId }, out) {
    out.print(`Saved ${plain(ticketId)}.`);
  },
});
