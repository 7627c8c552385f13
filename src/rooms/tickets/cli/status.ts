import { commandFor } from "../../../commons/cli/command-for.ts";
import type { Output } from "../../../kernel/definitions/command.ts";
import { anyOf } from "../../../kernel/text/closest.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { allowedMoves } from "../model/status.ts";
import type { TicketView } from "../model/ticket/ticket-view.ts";
import type { getTicket } from "../tools/get-ticket.ts";
import type { updateTicketStatus } from "../tools/update-ticket-status.ts";
import { readStatusWords, type StatusWords, statusCell } from "./status-words.ts";
import { staleLine } from "./text/stale-line.ts";
import { statusColours } from "./text/status-colours.ts";
import { completeTicket, ticketArgument, ticketServices, ticketSettings } from "./ticket-argument.ts";

/** Also what `forge status ID` does. */
export const status = commandFor<typeof updateTicketStatus>({
  tool: "update_ticket_status",
  name: "ticket status",
  summary: "Show a ticket's status, or move it to another",
  details:
    "Without a status it shows the ticket's status and where it can move. Everyday words (todo, in-progress, done) and " +
    "legacy names (FORGED, EXECUTING, DELIVERED) are understood.",
  examples: [
    ["forge status T-001", "Its status, and where it can move."],
    ["forge status T-001 done", "Move it to COMPLETE."],
  ],
  settings: ticketSettings,
  group: "tickets",
  arguments: [ticketArgument, { field: "status", required: false, help: "The new status." }],
  async complete(app, place) {
    const [id] = place.positionals;
    if (id === undefined || place.positionals.length > 1) return completeTicket(app, place);
    const { tickets } = await ticketServices(app);
    const { status: current, previousStatus } = await tickets.get(id);
    return allowedMoves(current, previousStatus).map((value) => ({ value }));
  },
  toInput: ({ ticketId, status: word }, { app }) => ({
    ticketId: String(ticketId),
    // Without a status nothing is moved: see below.
    status: word === undefined ? "DRAFT" : readStatusWords(app).parse(String(word)),
  }),
  async instead({ ticketId }, out, { app, positionals, call }) {
    if (positionals.length > 1) return undefined;
    showStatus(await call<typeof getTicket>("get_ticket", { ticketId }), out, readStatusWords(app));
    return 0;
  },
  json: ({ ticketId, previousStatus, newStatus }) => ({
    id: ticketId,
    from: previousStatus,
    status: newStatus,
    moved: previousStatus !== newStatus,
  }),
  print({ ticketId, previousStatus, newStatus }, out, { app }) {
    const words = readStatusWords(app);
    const id = plain(ticketId);
    const shown = out.style[statusColours[newStatus]](words.show(newStatus));
    out.print(
      previousStatus === newStatus
        ? `${id} is already ${words.show(newStatus)}.`
        : `Moved ${id} from ${words.show(previousStatus)} to ${shown}.`,
    );
  },
});

function showStatus(ticket: TicketView, out: Output, words: StatusWords): void {
  const { id, title, status: current, previousStatus, stale, unproven } = ticket;
  const moves = allowedMoves(current, previousStatus);
  const old = staleLine({ stale }, "ticket");
  const facts = { ...(unproven && { unproven }), ...(stale !== undefined && { stale }) };
  out.data({ id, title, status: current, moves, ...facts }, () =>
    [
      ...(old === undefined ? [] : [out.style.yellow(old)]),
      `${plain(id)} is ${out.style[statusColours[current]](statusCell(ticket, words))}: ${plain(title)}`,
      `It can move to ${anyOf(moves.map(words.show))}.`,
    ].join("\n"),
  );
}
