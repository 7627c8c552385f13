import * as z from "zod";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import { isForeignTo } from "../model/authorship.ts";
import { limits } from "../model/limits.ts";
import { requireStatus } from "../model/status.ts";
import { searchText, status, ticketFilter, ticketId } from "../model/ticket-fields.ts";
import type { Suggestion } from "../service/tickets.ts";
import { isLegacy, legacyList, listForLegacy } from "./legacy-client.ts";
import { toSummaryResponse } from "./mappers.ts";
import { pageResponse } from "./schemas.ts";
import { resolveAssignee, type TicketRouteServices } from "./services.ts";

const noParams = z.object({});
const yesOrNo = z.enum(["true", "false"]).optional();
const limit = z.coerce.number().int().min(1).max(200).optional().describe("Default: 50");
const cursor = ticketFilter.shape.cursor.describe("`nextCursor` of the previous page");
const statusNames = z.string().max(1_000);
const statusFilter = z.union([statusNames, z.array(statusNames).max(100)]).optional();

export const listRoute = defineRoute({
  method: "GET",
  operation: "list_tickets",
  path: "/api/tickets",
  summary: "The team's tickets, newest first, in pages.",
  scope: "tickets:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: z.object({
    status: statusFilter.describe(
      "Only these statuses; repeat it, or separate them with commas. Without ARCHIVED, archived tickets are left out",
    ),
    assignee: ticketFilter.shape.assignee.describe(
      "Only tickets assigned to this name or member id; `me` is the caller",
    ),
    unassigned: yesOrNo.describe("`true`: only tickets without an assignee"),
    label: ticketFilter.shape.label.describe("Only tickets with this label"),
    assignedToMe: yesOrNo.describe("`true` is the same as `assignee=me`"),
    priority: ticketFilter.shape.priority,
    type: ticketFilter.shape.type,
    text: ticketFilter.shape.text.describe("Only tickets that contain all of these words"),
    limit,
    cursor,
    all: yesOrNo.describe("Has no effect: all of the team's tickets are listed anyway. Accepted for older clients"),
    teamId: z
      .string()
      .max(limits.name)
      .optional()
      .describe("Only sent by forge-cli 1.0.1, which gets a plain array; the team is the token's"),
  }),
  output: z.union([pageResponse, legacyList]),
  async run(services: TicketRouteServices, { query }, call) {
    const { status: names, assignee, assignedToMe, unassigned, all: _, teamId, ...rest } = query;
    const name = await resolveAssignee(services, call, assignedToMe === "true" ? "me" : assignee);
    const filter = {
      ...rest,
      ...(unassigned === "true" && { unassigned: true }),
      ...(names !== undefined && { status: parseStatuses(names) }),
      ...(name !== undefined && { assignee: name }),
    };
    if (teamId !== undefined || isLegacy(call.principal)) return listForLegacy(services.tickets, filter);
    const { tickets, nextCursor } = await services.tickets.list(filter);
    return { tickets: tickets.map((ticket) => toSummaryResponse(ticket, call)), nextCursor };
  },
});

export const archivedRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/archived",
  summary: "The team's archived tickets, newest first, in pages.",
  scope: "tickets:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: z.object({ limit, cursor }),
  output: pageResponse,
  async run({ tickets }: TicketRouteServices, { query }, call) {
    const page = await tickets.list({ ...query, status: ["ARCHIVED"] });
    return { tickets: page.tickets.map((ticket) => toSummaryResponse(ticket, call)), nextCursor: page.nextCursor };
  },
});

export const suggestRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/suggest",
  summary: "Suggestions for completion: tickets whose id starts with the typed text or that contain it.",
  scope: "tickets:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: z.object({
    typed: searchText.default(""),
    limit: z.coerce.number().int().min(1).max(100).default(20),
    status: statusFilter.describe("Only tickets in these statuses"),
  }),
  output: z.object({
    tickets: z
      .array(
        z.object({
          id: ticketId,
          title: z.string().max(limits.line),
          status,
          foreign: z.boolean().describe("Whether others wrote it"),
        }),
      )
      .max(100),
  }),
  async run({ tickets }: TicketRouteServices, { query }, { principal }) {
    const among = query.status === undefined ? undefined : parseStatuses(query.status);
    const found = await tickets.suggest(query.typed, query.limit, among);
    const toResponse = (one: Suggestion) => {
      const { id, title, status: current } = one;
      return { id, title, status: current, foreign: isForeignTo(principal, one) };
    };
    return { tickets: found.map(toResponse) };
  },
});

export const nextRoute = defineRoute({
  method: "GET",
  operation: "next_ticket",
  path: "/api/tickets/next",
  summary: "What can be started next: ready, unassigned and not blocked; the most urgent and oldest first.",
  scope: "tickets:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: z.object({ limit: z.coerce.number().int().min(1).max(50).default(5) }),
  output: pageResponse,
  async run({ tickets }: TicketRouteServices, { query }, call) {
    return { tickets: (await tickets.next(query.limit)).map((ticket) => toSummaryResponse(ticket, call)) };
  },
});

export const quotaRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/quota",
  summary: "How many tickets the team has. There is no limit.",
  scope: "tickets:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: z.object({}),
  output: z.object({ used: z.number().int().min(0), limit: z.null(), canCreate: z.literal(true) }),
  async run({ tickets }: TicketRouteServices) {
    return { used: await tickets.count(), limit: null, canCreate: true as const };
  },
});

function parseStatuses(names: string | string[]) {
  const given = [names].flat().flatMap((name) => name.split(","));
  return [...new Set(given.map(requireStatus))];
}
