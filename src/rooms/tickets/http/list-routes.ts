import * as z from "zod";
import { defineRoute } from "../../../kernel/route.ts";
import { limits } from "../model/limits.ts";
import { requireStatus } from "../model/status.ts";
import { searched, status, ticketFilter, ticketId } from "../model/ticket.ts";
import { pageOnWire, showSummary } from "./mappers.ts";
import { resolveAssignee, type TicketRouteServices } from "./services.ts";

const noParams = z.object({});
const yesOrNo = z.enum(["true", "false"]).optional();
const limit = z.coerce.number().int().min(1).max(200).optional().describe("50 unless told");
const cursor = ticketFilter.shape.cursor.describe("`nextCursor` of the page before");
const statusNames = z.string().max(1_000);
const statusFilter = z.union([statusNames, z.array(statusNames).max(100)]).optional();

export const listRoute = defineRoute({
  method: "GET",
  path: "/api/tickets",
  summary: "The team's tickets, newest first, a page at a time.",
  scope: "tickets:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: z.object({
    status: statusFilter.describe(
      "Only these: given several times, or with commas. Archived tickets come only where asked for",
    ),
    assignee: ticketFilter.shape.assignee.describe("Only this person's, by name or member id; `me` is the caller"),
    assignedToMe: yesOrNo.describe("`true` is the same as assignee `me`"),
    priority: ticketFilter.shape.priority,
    type: ticketFilter.shape.type,
    text: ticketFilter.shape.text.describe("Only tickets with all of these words, anywhere in them"),
    limit,
    cursor,
    all: yesOrNo.describe("Everybody's, which is so anyway; older clients say it"),
  }),
  output: pageOnWire,
  async run(services: TicketRouteServices, { query }, call) {
    const { status: names, assignee, assignedToMe, all: _, ...rest } = query;
    const whose = await resolveAssignee(services, call, assignedToMe === "true" ? "me" : assignee);
    const { tickets, nextCursor } = await services.tickets.list({
      ...rest,
      ...(names !== undefined && { status: statusesIn(names) }),
      ...(whose !== undefined && { assignee: whose }),
    });
    return { tickets: tickets.map((ticket) => showSummary(ticket, call)), nextCursor };
  },
});

export const archivedRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/archived",
  summary: "The team's archived tickets, newest first, a page at a time.",
  scope: "tickets:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: z.object({ limit, cursor }),
  output: pageOnWire,
  async run({ tickets }: TicketRouteServices, { query }, call) {
    const page = await tickets.list({ ...query, status: ["ARCHIVED"] });
    return { tickets: page.tickets.map((ticket) => showSummary(ticket, call)), nextCursor: page.nextCursor };
  },
});

export const suggestRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/suggest",
  summary: "Ids and titles that begin with what was typed, or hold it, for completion.",
  scope: "tickets:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: z.object({
    typed: searched.default(""),
    limit: z.coerce.number().int().min(1).max(100).default(20),
    status: statusFilter.describe("Only of tickets that are one of these"),
  }),
  output: z.object({
    tickets: z.array(z.object({ id: ticketId, title: z.string().max(limits.line), status })).max(100),
  }),
  async run({ tickets }: TicketRouteServices, { query }) {
    const among = query.status === undefined ? undefined : statusesIn(query.status);
    return { tickets: await tickets.suggest(query.typed, query.limit, among) };
  },
});

export const quotaRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/quota",
  summary: "How many tickets the team has. There is no limit to them.",
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

function statusesIn(names: string | string[]) {
  const given = [names].flat().flatMap((name) => name.split(","));
  return [...new Set(given.map(requireStatus))];
}
