import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket } from "../model/ids.ts";
import { requireNoBlockers } from "../model/questions.ts";
import { status, ticketId } from "../model/ticket-fields.ts";
import { requireAllowed } from "../service/guard.ts";
import { requireProof } from "../service/ports/require-proof.ts";
import type { TicketServices } from "../service/tickets.ts";
import { readWorkBase, readWorkDone } from "../service/work-base.ts";

export const updateTicketStatus = defineTool({
  name: "update_ticket_status",
  title: "Move a ticket to another status",
  description:
    "Call at each new stage: CREATED when work starts, DRIFTED when ticket and code no longer match, COMPLETE only when every criterion is verified.",
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
    const { status: from, ...before } = await services.tickets.get(id);
    if (wanted === "COMPLETE" && from === "CREATED") {
      const ticketBefore = { ...before, status: from };
      const proof = await requireProof(services, ticketBefore, call);
      const done = await readWorkDone(services, ticketBefore, undefined, call.signal);
      const judged = proof.proof === "proven" ? ticketBefore : undefined;
      const ticket = await services.tickets.complete(call, id, { ...done, ...proof }, { judged });
      return { success: true as const, ticketId: ticket.id, newStatus: ticket.status, previousStatus: from };
    }
    // A person who moves a ticket on a terminal has decided to start without the answers.
    const startsWork = wanted === "CREATED" && from !== "CREATED";
    if (startsWork && !call.principal.atKeyboard) requireNoBlockers({ ...before, id }, "work starts");
    const base = wanted === "CREATED" ? await readWorkBase(services, call.signal) : undefined;
    const moved = await services.tickets.move(call, id, wanted, base);
    const { id: ticketId, status: newStatus } = moved.ticket;
    return { success: true as const, ticketId, newStatus, previousStatus: moved.from };
  },
});
