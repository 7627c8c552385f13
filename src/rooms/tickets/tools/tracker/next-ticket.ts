import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { escapeContent } from "../../../../kernel/text/escape-text.ts";
import type { TicketSummary } from "../../model/ticket.ts";
import { ticketSummary } from "../../reading/summary-schema.ts";
import type { TicketServices } from "../../service/tickets.ts";

export const nextTicket = defineTool({
  name: "next_ticket",
  title: "What to start next",
  description: "Tickets that can be started now: READY, unassigned and not blocked; the most urgent and oldest first.",
  effect: "read",
  unlisted: true,
  input: z.object({ limit: z.number().int().min(1).max(50).default(5) }),
  output: z.object({ tickets: z.array(ticketSummary.extend({ why: z.string().max(1_000) })).max(50) }),
  async run({ tickets }: TicketServices, { limit }, call) {
    const found = await tickets.next(limit);
    if (found.some(({ foreign }) => foreign)) await call.noteUntrusted();
    return { tickets: found.map((ticket) => ({ ...ticket, why: explain(ticket) })) };
  },
  present: (page) => escapeContent(page).value,
});

function explain({ priority, createdAt }: TicketSummary): string {
  const urgency = priority === undefined ? "no priority" : `${priority} priority`;
  return `ready, unassigned, not blocked, ${urgency}, waiting since ${createdAt.slice(0, 10)}`;
}
