import { commandFor } from "../../../commons/cli/command-for.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { nextTicket } from "../tools/tracker/next-ticket.ts";
import { ticketSettings } from "./ticket-argument.ts";

export const next = commandFor<typeof nextTicket>({
  tool: "next_ticket",
  name: "next",
  aliases: ["ticket next"],
  summary: "Show what can be started next, and why",
  details:
    "Tickets that are READY, unassigned, not claimed and not blocked by others; the most urgent and oldest first.",
  examples: [
    ["forge next", "The next five."],
    ["forge next -n 1 --json", "The first, for a script."],
  ],
  settings: ticketSettings,
  group: "tickets",
  options: { limit: { short: "n", help: "How many tickets at most." } },
  print({ tickets }, out) {
    const [first] = tickets;
    if (!first) return out.note("Nothing is ready to start. Run `forge list` to see all tickets.");
    for (const { id, title, why } of tickets) {
      out.print(`${out.style.cyan(plain(id))}  ${plain(title)}`);
      out.print(out.style.dim(`       ${plain(why)}`));
    }
    out.note(`Start it with \`forge start ${plain(first.id)}\`.`);
  },
});
