import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket } from "../model/ids.ts";
import { requireNoBlockers } from "../model/questions.ts";
import { canResume, requireGate } from "../model/status.ts";
import { ticketView } from "../model/ticket/ticket-view.ts";
import { toView } from "../model/ticket/to-view.ts";
import { ticketId } from "../model/ticket-fields.ts";
import { adoptTicket, requireAllowed, startIntent } from "../service/guard.ts";
import { readTaskText } from "../service/ports/ticket-items.ts";
import { requireUnblocked } from "../service/ticket-queries.ts";
import type { TicketServices } from "../service/tickets.ts";
import { readWorkBase } from "../service/work-base.ts";

export const startTicket = defineTool({
  name: "start_ticket",
  title: "Start work on a ticket",
  description:
    "Checks that a ticket can be executed or reviewed, and makes it the ticket of everyone that this process serves. An execution assigns an unassigned ticket to the user and records where in the repository work starts.",
  effect: "set",
  surfaces: ["cli"],
  input: z.object({
    ticketId,
    gate: z.enum(["execute", "review"]),
    hold: z.boolean().optional().describe("Claim it for this process until it ends"),
  }),
  output: z.object({ ticket: ticketView, assigned: z.boolean() }),
  about: aboutTicket,
  async run(services: TicketServices, { ticketId: given, gate, hold = false }, call) {
    const { tickets, active } = services;
    const { principal, signal } = call;
    const before = await tickets.get(given);
    requireGate(gate, before, canResume(before, principal.name));
    if (gate === "execute") {
      requireNoBlockers(before, "work starts");
      requireUnblocked(before);
    }
    const content = { gate, ...readTaskText(before) };
    const intentFor = (id: string) => startIntent(services, `Start work on ${id}`, before, content);
    await requireAllowed(services, call, before.id, intentFor);
    if (hold && gate === "execute") await tickets.hold(before.id, principal);
    active.bind(before.id);
    // Who has it reviewed wants to know whether it should be done.
    if (gate === "review") return { ticket: toView(before), assigned: false };
    await adoptTicket(services, call, before);
    const ticket = await tickets.start(call, before.id, await readWorkBase(services, signal));
    return { ticket: toView(ticket), assigned: before.assignee === undefined && ticket.assignee !== undefined };
  },
});
