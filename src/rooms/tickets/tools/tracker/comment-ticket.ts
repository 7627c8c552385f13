import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { aboutTicket } from "../../model/ids.ts";
import { limits } from "../../model/limits.ts";
import { ticketId } from "../../model/ticket-fields.ts";
import { authorOf, requireAllowed } from "../../service/guard.ts";
import type { TicketServices } from "../../service/tickets.ts";

export const commentTicket = defineTool({
  name: "comment_ticket",
  title: "Comment on a ticket",
  description: "Add a comment to a ticket: what others should know about it.",
  effect: "add",
  unlisted: true,
  input: z.object({ ticketId, text: z.string().trim().min(1).max(limits.line) }),
  output: z.object({ ticketId, comment: z.string().max(40) }),
  about: aboutTicket,
  async run(services: TicketServices, { ticketId: given, text }, call) {
    const id = await requireAllowed(services, call, given, (known) => ({
      summary: `Comment on ${known}`,
      content: { text },
    }));
    const ticket = await services.tickets.record(await authorOf(services, call), id, { kind: "comment", text });
    return { ticketId: ticket.id, comment: ticket.records?.comments?.at(-1)?.id ?? "" };
  },
});
