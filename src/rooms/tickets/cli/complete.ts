import { commandFor } from "../../../commons/cli/command-for.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { completeTicket as completeTool } from "../tools/complete-ticket.ts";
import { readStatusWords, statusCell } from "./status-words.ts";
import { summarizeDone } from "./text/done-lines.ts";
import { completeTicket, ticketArgument, ticketSettings } from "./ticket-argument.ts";

export const complete = commandFor<typeof completeTool>({
  tool: "complete_ticket",
  name: "complete",
  aliases: ["done", "ticket complete", "ticket done"],
  summary: "Mark a ticket complete and record what was done",
  examples: [
    ['forge complete T-001 --summary "Sessions are kept for a day."', "Done as planned."],
    ['forge complete T-001 --divergence "session|a day|an hour|auditors"', "Done differently, and why."],
    ["forge complete T-001 --correct --since main", "Correct the record: work started from main."],
  ],
  settings: ticketSettings,
  group: "tickets",
  common: true,
  arguments: [ticketArgument],
  options: { summary: { value: "TEXT" }, since: { value: "COMMIT" }, divergence: { value: "TEXT" } },
  complete: completeTicket,
  print({ changeRecord, ...ticket }, out, { app }) {
    const status = statusCell(ticket, readStatusWords(app));
    out.print(`${plain(ticket.id)} is ${plain(status)}: ${summarizeDone(changeRecord)}.`);
    if (ticket.unproven) out.note(`Not all of its criteria are proven. Run \`forge proof ${plain(ticket.id)}\`.`);
  },
});
