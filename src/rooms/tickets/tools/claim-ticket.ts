import * as z from "zod";
import { defineTool } from "../../../kernel/tool.ts";
import { aboutTicket } from "../model/ids.ts";
import { status, ticketId } from "../model/ticket.ts";
import { requireAllowed } from "../service/guard.ts";
import type { TicketServices } from "../service/tickets.ts";

export const claimTicket = defineTool({
  name: "claim_ticket",
  title: "Be the one who works on a ticket",
  description: [
    "Call it before working on a ticket where other assistants may be at work too: exactly one of those who claim it at once gets it.",
    "The claim lasts `minutes` (30 unless told) and ends by itself; call it again to make it last anew, with `release: true` to give it back. While it lasts no other assistant can change the ticket. A ticket that is nobody's becomes your person's.",
  ].join("\n"),
  effect: "set",
  input: z.object({
    ticketId,
    worker: z.string().trim().min(1).max(100).optional().describe("A name for you that outlives this connection"),
    minutes: z.number().int().min(1).max(480).optional(),
    release: z.boolean().optional(),
  }),
  output: z.object({
    ticketId,
    claimed: z.boolean(),
    status,
    assignee: z.string().max(1_000).optional(),
    holder: z.string().max(1_000).optional(),
    until: z.string().max(40).optional(),
  }),
  about: aboutTicket,
  async run(services: TicketServices, { ticketId: given, worker, minutes, release = false }, call) {
    const { tickets, work } = services;
    const { id } = await tickets.get(given);
    await requireAllowed(services, call, {
      id,
      summary: `${release ? "Give back" : "Claim"} ${id}`,
      content: { release },
    });
    if (release) {
      const { status: stands } = await tickets.release(call, id);
      return { ticketId: id, claimed: false, status: stands };
    }
    const ticket = await tickets.claim(call, id, { worker, minutes });
    work.add(call.principal, id);
    return {
      ticketId: id,
      claimed: true,
      status: ticket.status,
      ...(ticket.assignee !== undefined && { assignee: ticket.assignee }),
      ...ticket.claim,
    };
  },
});
