import { defineToolset } from "../../kernel/toolset.ts";
import { forgeExecute } from "./prompts/forge-execute.ts";
import { forgeReview } from "./prompts/forge-review.ts";
import { resources } from "./resources/resources.ts";
import type { TicketServices } from "./service/ports.ts";
import { tools } from "./tools/index.ts";

export { LocalTickets } from "./service/tickets.ts";
export { TicketReader } from "./store/rows.ts";

export const ticketsToolset = defineToolset<TicketServices>({
  name: "tickets",
  title: "Tickets",
  guidance:
    "Before working on a ticket call get_ticket_context, and get_repository_context to know the branch, what is changed and which files there are; keep its status true with update_ticket_status.",
  tools,
  prompts: [forgeExecute, forgeReview],
  resources,
});
