import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { idPattern } from "../model/limits.ts";
import { ticketViewWithHistory } from "../model/ticket/ticket-view.ts";
import { toView } from "../model/ticket/to-view.ts";
import { aboutTicket, revisionOf, toSummaryResponse } from "./mappers.ts";
import { summaryResponse, ticketParams } from "./schemas.ts";
import type { TicketRouteServices } from "./services.ts";

/** What the board asks for beside lists and changes. */

const maxIds = 100;

const ids = z
  .string()
  .min(1)
  .max(maxIds * 101)
  .transform((given) => [...new Set(given.split(","))])
  .refine((given) => given.length <= maxIds, `must name at most ${maxIds} tickets`)
  .refine((given) => given.every((id) => idPattern.test(id)), "must be ticket ids, separated by commas");

export const summariesRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/summaries",
  summary: "Tickets by their ids, as lists show them, archived ones included. Those that do not exist are left out.",
  scope: "tickets:read",
  effect: "read",
  names: "none",
  params: z.object({}),
  query: z.object({ ids: ids.describe("Separated by commas, at most 100") }),
  output: z.object({ tickets: z.array(summaryResponse).max(maxIds) }),
  async run({ tickets }: TicketRouteServices, { query }, call) {
    const summaries: ReturnType<typeof toSummaryResponse>[] = [];
    for (const id of query.ids) {
      const ticket = await tickets.get(id).catch(ignoreNotFound);
      if (ticket) summaries.push(toSummaryResponse(ticket, call));
      // Each can be 1 MB: others are answered in between.
      await nextTurn();
    }
    return { tickets: summaries };
  },
});

export const viewRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/:id/view",
  summary: "A ticket as a page shows it: its text in one shape, whichever form its document has, and its history.",
  scope: "tickets:read",
  effect: "read",
  names: "ticket",
  params: ticketParams,
  query: z.object({}),
  output: ticketViewWithHistory,
  about: aboutTicket,
  async run({ tickets }: TicketRouteServices, { params }) {
    const ticket = await tickets.get(params.id);
    return { ...toView(ticket), history: await tickets.history(ticket.id) };
  },
  revision: revisionOf,
});

function ignoreNotFound(error: unknown): undefined {
  if (error instanceof ForgeError && error.code === "NOT_FOUND") return undefined;
  throw error;
}
