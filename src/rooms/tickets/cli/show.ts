import { commandFor } from "../../../commons/cli/command-for.ts";
import type { getTicket } from "../tools/get-ticket.ts";
import { readStatusWords } from "./status-words.ts";
import { describeTicket } from "./text/describe-ticket.ts";
import { historyLines } from "./text/history-lines.ts";
import { completeTicket, ticketArgument, ticketSettings } from "./ticket-argument.ts";

export const show = commandFor<typeof getTicket>({
  tool: "get_ticket",
  name: "show",
  aliases: ["ticket show"],
  summary: "Show a ticket",
  details: "Its text, its status and where it can move, its questions (open ones first), and who has claimed it.",
  examples: [
    ["forge show T-001", "Read a ticket."],
    ["forge show T-001 --history", "Also what happened to it, oldest first."],
  ],
  settings: ticketSettings,
  group: "tickets",
  common: true,
  arguments: [ticketArgument],
  complete: completeTicket,
  print({ history, ...ticket }, out, { app }) {
    const words = readStatusWords(app);
    const past = history ? ["", ...historyLines(history, out, words)] : [];
    out.print([describeTicket(ticket, out, words), ...past].join("\n"));
  },
});
