import * as z from "zod";
import { defineTool } from "../../../kernel/tool.ts";
import { ticketFilter } from "../model/ticket.ts";
import { ticketSummary } from "../reading/context-schemas.ts";
import { escapeContent } from "../reading/escape-text.ts";
import { markTainted } from "../service/taint.ts";
import type { TicketServices } from "../service/tickets.ts";

const { status, assignee, priority, type, text, limit, cursor } = ticketFilter.shape;

const input = z.object({
  status: status.describe("Only these; archived tickets come only where asked for"),
  assignee: assignee.describe("Only this person's; `me` is whoever you work for"),
  filter: z.enum(["all", "mine"]).optional().describe("`mine` is the same as assignee `me`"),
  priority,
  type,
  text: text.describe("Only tickets with all of these words, anywhere in them"),
  limit: limit.describe("50 unless told"),
  cursor: cursor.describe("`nextCursor` of the page before"),
});

export const listTickets = defineTool({
  name: "list_tickets",
  title: "Find tickets",
  description:
    "Call it to find a ticket by its status, assignee or words, or to see what there is to do. Newest first, a page at a time; `claim` tells who is on one. For the whole of a ticket call get_ticket_context.",
  effect: "read",
  input,
  output: z.object({
    tickets: z.array(ticketSummary).max(200),
    nextCursor: z.string().max(200).optional(),
    stale: z.string().max(40).optional().describe("The server cannot be reached; this is its answer of then"),
    incomplete: z.literal(true).optional().describe("Put together from earlier answers: tickets may be missing"),
  }),
  async run({ tickets, work }: TicketServices, { filter, assignee: whose, ...rest }, call) {
    const me = filter === "mine" || whose === "me";
    const page = await tickets.list({
      ...rest,
      ...(me ? { assignee: call.principal.name } : whose !== undefined && { assignee: whose }),
    });
    if (page.tickets.some(({ foreign }) => foreign)) await markTainted({ work }, call);
    return escapeContent(page).value;
  },
});
