import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket } from "../model/ids.ts";
import { status, ticketId } from "../model/ticket.ts";
import { requireAllowed } from "../service/guard.ts";
import type { TicketServices } from "../service/tickets.ts";

export const updateTicketStatus = defineTool({
  name: "update_ticket_status",
  title: "Move a ticket to another status",
  description:
    "Call when work reaches a new stage: CREATED when you start to implement, DRIFTED when ticket and code no longer match, COMPLETE only when every criterion is verified.",
  effect: "set",
  core: true,
  input: z.object({ ticketId, status }),
  output: z.object({ success: z.literal(true), ticketId, newStatus: status, previousStatus: status }),
  about: aboutTicket,
  async run(services: TicketServices, { ticketId: given, status: wanted }, call) {
    const id = await requireAllowed(services, call, given, (known) => ({
      summary: `Move ${known} to ${wanted}`,
      content: { status: wanted },
    }));
    const { ticket, from } = await services.tickets.move(call, id, wanted);
    return { success: true as const, ticketId: ticket.id, newStatus: ticket.status, previousStatus: from };
  },
});
