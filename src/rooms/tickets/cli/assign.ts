import { commandFor } from "../../../commons/cli/command-for.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { updateTicket } from "../tools/update-ticket.ts";
import { assigneeOrNone } from "./errors.ts";
import { completeTicket, ticketArgument, ticketSettings } from "./ticket-argument.ts";

export const assign = commandFor<typeof updateTicket>({
  tool: "update_ticket",
  name: "assign",
  aliases: ["ticket assign"],
  summary: "Assign a ticket",
  details: "Assigns a ticket to you, or to the person you name. --none unassigns it.",
  examples: [
    ["forge assign T-001", "Assign it to yourself."],
    ["forge assign T-001 grace", "Assign it to grace."],
    ["forge assign T-001 --none", "Unassign it."],
  ],
  settings: ticketSettings,
  group: "tickets",
  arguments: [ticketArgument, { field: "assignee", name: "who", required: false, help: "A name, or `me` (default)." }],
  only: true,
  own: { none: { type: "boolean", field: "assignee", clears: true, help: "Unassign it." } },
  complete: async (app, place) =>
    place.positionals.length === 1 ? [{ value: "me", help: "You" }] : completeTicket(app, place),
  toInput({ ticketId, assignee = "me" }, { positionals }) {
    if (assignee === null && positionals.length > 1) throw assigneeOrNone();
    return { ticketId: String(ticketId), assignee: assignee === null ? null : String(assignee) };
  },
  json: ({ ticketId, assignee = null }) => ({ id: ticketId, assignee }),
  print({ ticketId, assignee }, out) {
    const id = plain(ticketId);
    out.print(assignee === undefined ? `${id} is now unassigned.` : `Assigned ${id} to ${plain(assignee)}.`);
  },
});
