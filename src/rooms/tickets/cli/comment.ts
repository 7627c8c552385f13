import { commandFor } from "../../../commons/cli/command-for.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { commentTicket } from "../tools/tracker/comment-ticket.ts";
import { completeTicket, ticketArgument, ticketSettings } from "./ticket-argument.ts";

export const comment = commandFor<typeof commentTicket>({
  tool: "comment_ticket",
  name: "comment",
  aliases: ["ticket comment"],
  summary: "Comment on a ticket",
  examples: [['forge comment T-001 "The API is down until Monday."', "Add a comment."]],
  settings: ticketSettings,
  group: "tickets",
  arguments: [ticketArgument, { field: "text", required: true, help: "The comment." }],
  complete: completeTicket,
  print({ ticketId }, out) {
    out.print(`Commented on ${plain(ticketId)}.`);
  },
});
