import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import { defineRoute } from "../../../kernel/route.ts";
import { limits } from "../model/limits.ts";
import type { Asker } from "../model/questions.ts";
import { changeRecord, type Ticket } from "../model/ticket.ts";
import type { Transition } from "../service/ticket-writer.ts";
import { aboutTicket, oneTicket, revisionOf, showTicket, ticketOnWire } from "./mappers.ts";
import { authorOf, requireMember, type TicketRouteServices } from "./services.ts";

const onOneTicket = {
  scope: "tickets:write",
  effect: "set",
  names: "ticket",
  params: oneTicket,
  query: z.object({}),
  output: ticketOnWire,
  about: aboutTicket,
  conditional: true,
  revision: revisionOf,
} as const;

export const assignRoute = defineRoute({
  ...onOneTicket,
  method: "PATCH",
  path: "/api/tickets/:id/assign",
  summary: "Makes a ticket somebody's, or nobody's.",
  body: z.strictObject({
    userId: z
      .string()
      .trim()
      .min(1)
      .max(limits.name)
      .nullable()
      .describe("A member's id, or `me`; null makes it nobody's"),
  }),
  async run(services: TicketRouteServices, { params, body, ifMatch }, call) {
    const assignee = body.userId === null ? null : await requireMember(services, call, body.userId);
    return showTicket(await services.tickets.update(authorOf(call, ifMatch), params.id, { assignee }), call);
  },
});

export const claimRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  path: "/api/tickets/:id/claim",
  summary: "Claims a ticket for one worker for a while, makes the claim last anew, or gives it back.",
  body: z.strictObject({
    worker: z.string().trim().min(1).max(100).optional().describe("Tells two assistants of one person apart"),
    minutes: z.number().int().min(1).max(480).optional().describe("30 unless told"),
    held: z.boolean().optional().describe("For a process while it runs; not told in the ticket's history"),
    release: z.boolean().optional(),
  }),
  async run({ tickets }: TicketRouteServices, { params, body: { release, ...claiming }, ifMatch }, call) {
    const by = authorOf(call, ifMatch);
    const ticket = release
      ? await tickets.release(by, params.id, claiming)
      : await tickets.claim(by, params.id, claiming);
    return showTicket(ticket, call);
  },
});

export const startRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  path: "/api/tickets/:id/start",
  summary: "Work on a ticket begins here in the repository; one that is nobody's becomes the caller's.",
  body: z.strictObject({
    branch: z.string().max(limits.line).optional(),
    commit: z.string().max(64).optional(),
  }),
  async run({ tickets }: TicketRouteServices, { params, body: { branch, commit }, ifMatch }, call) {
    const base = { ...(branch !== undefined && { branch }), ...(commit !== undefined && { commit }) };
    return showTicket(await tickets.start(authorOf(call, ifMatch), params.id, base), call);
  },
});

const executionEvent = z.strictObject({
  type: z.enum(["decision", "risk", "scope_change"]),
  title: z.string().trim().min(1).max(500),
  description: z.string().max(10_000),
});

export const executionEventRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  path: "/api/tickets/:id/execution-events",
  summary: "Notes a decision, a risk or a change of scope while a ticket is worked on (CREATED).",
  effect: "add",
  body: executionEvent,
  async run({ tickets }: TicketRouteServices, { params, body, ifMatch }, call) {
    const by = authorOf(call, ifMatch);
    return showTicket(
      await tickets.change(by, params.id, (ticket, asker) => applyExecutionEvent(ticket, body, asker)),
      call,
    );
  },
});

export const settleRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  path: "/api/tickets/:id/settle",
  summary: "Hands the work in: the ticket is COMPLETE, with a record of what was changed.",
  body: changeRecord
    .extend({
      filesChanged: z.array(changeRecord.shape.filesChanged.element.strict()).max(500).default([]),
      divergences: z.array(changeRecord.shape.divergences.unwrap().element.strict()).max(50).optional(),
    })
    .strict(),
  async run({ tickets }: TicketRouteServices, { params, body, ifMatch }, call) {
    return showTicket(await tickets.complete(authorOf(call, ifMatch), params.id, body), call);
  },
});

function applyExecutionEvent(ticket: Ticket, event: z.output<typeof executionEvent>, { by, at }: Asker): Transition {
  if (ticket.status !== "CREATED") throw notUnderWay(ticket);
  const { executionEvents } = ticket.document;
  const events: unknown[] = Array.isArray(executionEvents) ? executionEvents : [];
  const id = `E-${events.length + 1}`;
  return {
    document: { ...ticket.document, executionEvents: [...events, { id, ...event, createdBy: by, createdAt: at }] },
    events: [{ kind: "updated", details: { executionEvent: id, type: event.type, title: event.title } }],
  };
}

function notUnderWay({ id, status }: Ticket): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${id} is ${status}; this is noted while a ticket is CREATED.`, {
    details: { ticketId: id, status },
    next: ["Move it to CREATED when the work on it begins."],
  });
}
