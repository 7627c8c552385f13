import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { escapeContent } from "../../../kernel/text/escape-text.ts";
import { ticketFilter } from "../model/ticket-fields.ts";
import { ticketSummary } from "../reading/summary-schema.ts";
import type { TicketServices } from "../service/tickets.ts";

const { status, assignee, label, priority, type, text, cursor } = ticketFilter.shape;

const input = z.object({
  status: status.describe("Default: all but ARCHIVED"),
  assignee: assignee.describe("`me`: the user; `none`: unassigned"),
  label,
  filter: z
    .enum(["all", "mine"])
    .optional()
    .describe("`mine` is the same as assignee `me`")
    .meta({ unadvertised: true }),
  priority,
  type: type.meta({ unadvertised: true }),
  text: text.describe("Words to find"),
  limit: z.number().int().min(1).max(200).default(50),
  cursor,
});

export const listTickets = defineTool({
  name: "list_tickets",
  title: "Find tickets",
  description: "Find tickets and work to do, newest first.",
  effect: "read",
  core: true,
  input,
  output: z.object({
    tickets: z.array(ticketSummary).max(200),
    nextCursor: z.string().max(200).optional(),
    stale: z.string().max(40).optional().describe("The server cannot be reached; this is the copy of that time"),
    incomplete: z.literal(true).optional().describe("Put together from earlier answers: tickets may be missing"),
  }),
  async run({ tickets }: TicketServices, { filter, assignee: given, ...rest }, call) {
    const isMine = filter === "mine" || given === "me";
    const wanted = isMine ? call.principal.name : given;
    const page = await tickets.list({
      ...rest,
      ...(wanted === "none" ? { unassigned: true } : wanted !== undefined && { assignee: wanted }),
    });
    if (page.tickets.some(({ foreign }) => foreign)) await call.noteUntrusted();
    return page;
  },
  present: (page) => escapeContent(page).value,
});
