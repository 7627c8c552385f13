import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { initialStatuses } from "../model/status.ts";
import { ticketDraft } from "../model/ticket.ts";
import { status, ticketId } from "../model/ticket-fields.ts";
import { adoptTicket, authorOf } from "../service/guard.ts";
import { resolveAssignee } from "../service/resolve-assignee.ts";
import type { TicketServices } from "../service/tickets.ts";

export const createTicket = defineTool({
  name: "create_ticket",
  title: "Create a ticket",
  description:
    "Call when the user wants work written down. First check with list_tickets that it does not exist yet. Default status: DRAFT.",
  effect: "add",
  core: true,
  input: ticketDraft.extend({ status: z.enum(initialStatuses).optional() }),
  output: z.object({ ticketId, title: z.string().max(300), status, revision: z.number() }),
  async run(services: TicketServices, { status: wanted, ...draft }, call) {
    const by = await authorOf(services, call);
    const ticket = await services.tickets.create(by, resolveAssignee(draft, call.principal), { status: wanted });
    await adoptTicket(services, call, ticket);
    return { ticketId: ticket.id, title: ticket.title, status: ticket.status, revision: ticket.revision };
  },
});
