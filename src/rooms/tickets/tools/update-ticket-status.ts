import * as z from "zod";
import { defineTool } from "../../../kernel/tool.ts";
import { aboutTicket } from "../model/ids.ts";
import { status, ticketId } from "../model/ticket.ts";
import { requireAllowed } from "../service/guard.ts";
import type { TicketServices } from "../service/tickets.ts";

export const updateTicketStatus = defineTool({
  name: "update_ticket_status",
  title: "Move a ticket to another status",
  description: [
    "Call it when the work on a ticket has reached a new stage: CREATED when you begin to implement it, DRIFTED when the ticket and the code have parted, COMPLETE only when every criterion was verified.",
    "An illegal move is refused with the legal ones. The same status again changes nothing.",
  ].join("\n"),
  effect: "set",
  input: z.object({ ticketId, status: status.describe("The new status") }),
  output: z.object({ success: z.literal(true), ticketId, newStatus: status, previousStatus: status }),
  about: aboutTicket,
  async run(services: TicketServices, input, call) {
    const { id } = await services.tickets.get(input.ticketId);
    const intent = { id, summary: `Move ${id} to ${input.status}`, content: { status: input.status } };
    await requireAllowed(services, call, intent);
    const { ticket, from } = await services.tickets.move(call, id, input.status);
    return { success: true as const, ticketId: ticket.id, newStatus: ticket.status, previousStatus: from };
  },
});
