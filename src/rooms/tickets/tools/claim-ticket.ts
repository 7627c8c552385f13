import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket } from "../model/ids.ts";
import { status, ticketId } from "../model/ticket-fields.ts";
import { requireAllowed, startIntent } from "../service/guard.ts";
import type { TicketServices } from "../service/tickets.ts";

export const claimTicket = defineTool({
  name: "claim_ticket",
  title: "Claim a ticket",
  description:
    "Call before working on a ticket, so that no other assistant changes it. Expires after `minutes` (default 30); call again to renew.",
  effect: "set",
  core: true,
  input: z.object({
    ticketId,
    worker: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe("A name that keeps the claim across connections")
      .meta({ unadvertised: true }),
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
    const { tickets, active } = services;
    const id = await requireAllowed(services, call, given, async (known) =>
      release
        ? { summary: `Release ${known}`, content: { release }, isKnown: true }
        : startIntent(services, `Claim ${known}`, await tickets.get(known), { release }),
    );
    if (release) {
      const released = await tickets.release(call, id);
      return { ticketId: released.id, claimed: false, status: released.status };
    }
    const ticket = await tickets.claim(call, id, { worker, minutes });
    active.add(call.principal, ticket.id);
    // Who it is assigned to can be the word of others.
    if (ticket.foreign && ticket.assignee !== undefined) await call.noteUntrusted();
    return {
      ticketId: ticket.id,
      claimed: true,
      status: ticket.status,
      ...(ticket.assignee !== undefined && { assignee: ticket.assignee }),
      ...ticket.claim,
    };
  },
});
