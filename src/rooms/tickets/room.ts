import { defineRoom } from "../../commons/house.ts";
import type { TicketRouteServices } from "./http/services.ts";
import type { TicketServices } from "./service/tickets.ts";
import { tools } from "./tools/index.ts";

export const ticketsRoom = defineRoom<TicketServices, TicketRouteServices>({
  name: "tickets",
  title: "Tickets",
  guidance:
    "Before working on a ticket, call get_ticket_context, and get_repository_context for the branch, the changes and the files. Keep the ticket's status up to date with update_ticket_status.",
  fits: () => ({ fits: true, why: "always" }),
  tools,
  prompts: {
    forge_execute: async () => (await import("./prompts/forge-execute.ts")).forgeExecute,
    forge_review: async () => (await import("./prompts/forge-review.ts")).forgeReview,
  },
  resources: async () => (await import("./resources/resources.ts")).resources,
  commands: async () => (await import("./cli/index.ts")).commands,
  routes: async () => (await import("./http/routes.ts")).ticketRoutes,
  migrations: async () => (await import("./store/schema.ts")).migrations,
  open: async () => (await import("./open.ts")).openTickets,
  serve: async () => (await import("./serve.ts")).serveTickets,
});
