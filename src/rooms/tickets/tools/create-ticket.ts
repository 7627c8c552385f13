import * as z from "zod";
import { defineTool } from "../../../kernel/tool.ts";
import { status, ticketDraft, ticketId } from "../model/ticket.ts";
import { authorOf } from "../service/guard.ts";
import { resolveAssignee } from "../service/resolve-assignee.ts";
import type { TicketServices } from "../service/tickets.ts";

export const createTicket = defineTool({
  name: "create_ticket",
  title: "Write a new ticket",
  description: [
    "Call it when the person wants work written down: a title, and as much of problem, solution, acceptance criteria and files as is known.",
    "It begins as DRAFT unless `status` says otherwise (READY where it can be worked on at once). Look with list_tickets first whether there is one already.",
  ].join("\n"),
  effect: "add",
  input: ticketDraft.extend({
    status: status.optional().describe("DRAFT unless told; VALIDATED and READY can be given"),
  }),
  output: z.object({ ticketId, title: z.string().max(300), status, revision: z.number() }),
  async run(services: TicketServices, { status: wanted, ...draft }, call) {
    const by = await authorOf(services, call);
    const ticket = await services.tickets.create(by, resolveAssignee(draft, call.principal), { status: wanted });
    return { ticketId: ticket.id, title: ticket.title, status: ticket.status, revision: ticket.revision };
  },
});
