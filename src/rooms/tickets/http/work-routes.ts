import * as z from "zod";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import { limits } from "../model/limits.ts";
import type { Asker } from "../model/questions.ts";
import { type RecordEntry, recordEntry } from "../model/records/schema.ts";
import { changeRecord, type Ticket } from "../model/ticket.ts";
import type { Transition } from "../model/transitions.ts";
import { requireProof } from "../service/ports/require-proof.ts";
import { notInProgress, notReported } from "./errors.ts";
import { aboutTicket, revisionOf, toResponse } from "./mappers.ts";
import { ticketParams, ticketResponse, toWorkBase, workBase } from "./schemas.ts";
import { authorOf, requireMember, type TicketRouteServices } from "./services.ts";

const onOneTicket = {
  scope: "tickets:write",
  effect: "set",
  names: "ticket",
  params: ticketParams,
  query: z.object({}),
  output: ticketResponse,
  about: aboutTicket,
  conditional: true,
  revision: revisionOf,
} as const;

export const assignRoute = defineRoute({
  ...onOneTicket,
  method: "PATCH",
  path: "/api/tickets/:id/assign",
  summary: "Assigns or unassigns a ticket.",
  body: z.strictObject({
    userId: z
      .string()
      .trim()
      .min(1)
      .max(limits.name)
      .nullable()
      .describe("A member's id, or `me`; null unassigns the ticket"),
  }),
  async run(services: TicketRouteServices, { params, body, ifMatch }, call) {
    const assignee = body.userId === null ? null : await requireMember(services, call, body.userId);
    return toResponse(await services.tickets.update(authorOf(call, ifMatch), params.id, { assignee }), call);
  },
});

export const claimRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  operation: "claim_ticket",
  path: "/api/tickets/:id/claim",
  summary: "Claims a ticket for a worker for a while, renews the claim, or releases it.",
  body: z.strictObject({
    worker: z.string().trim().min(1).max(100).optional().describe("Distinguishes two assistants of the same user"),
    minutes: z.number().int().min(1).max(480).optional().describe("Default: 30"),
    held: z.boolean().optional().describe("By a process, while it runs; not recorded in the ticket's history"),
    release: z.boolean().optional(),
  }),
  async run({ tickets }: TicketRouteServices, { params, body: { release, ...claiming }, ifMatch }, call) {
    const by = authorOf(call, ifMatch);
    const ticket = release
      ? await tickets.release(by, params.id, claiming)
      : await tickets.claim(by, params.id, claiming);
    return toResponse(ticket, call);
  },
});

export const startRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  operation: "start_ticket",
  path: "/api/tickets/:id/start",
  summary: "Records where in the repository work on a ticket starts, and assigns an unassigned ticket to the caller.",
  body: workBase,
  async run({ tickets }: TicketRouteServices, { params, body, ifMatch }, call) {
    return toResponse(await tickets.start(authorOf(call, ifMatch), params.id, toWorkBase(body)), call);
  },
});

const reportable = new Set<RecordEntry["kind"]>(["verification", "work"]);

export const recordRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  path: "/api/tickets/:id/records",
  summary:
    "Adds a comment, work that was done, a check, what checks showed, or a waiver. Waiving is only for a person.",
  effect: "add",
  body: z.strictObject({ entry: recordEntry }),
  async run({ tickets }: TicketRouteServices, { params, body, ifMatch }, call) {
    const { entry } = body;
    // On a laptop Forge runs checks and records work itself; nothing that a client says of it counts.
    if (call.principal.kind === "local" && reportable.has(entry.kind)) throw notReported(params.id, entry.kind);
    return toResponse(await tickets.record(authorOf(call, ifMatch), params.id, entry), call);
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
  summary: "Records a decision, a risk or a change of scope while a ticket is in progress (CREATED).",
  effect: "add",
  body: executionEvent,
  async run({ tickets }: TicketRouteServices, { params, body, ifMatch }, call) {
    const by = authorOf(call, ifMatch);
    return toResponse(
      await tickets.change(by, params.id, (ticket, asker) => applyExecutionEvent(ticket, body, asker)),
      call,
    );
  },
});

export const settleRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  operation: "complete_ticket",
  path: "/api/tickets/:id/settle",
  summary: "Completes a ticket with a record of what was changed, or corrects that record.",
  body: changeRecord
    .extend({
      filesChanged: z.array(changeRecord.shape.filesChanged.element.strict()).max(500).default([]),
      divergences: z.array(changeRecord.shape.divergences.unwrap().element.strict()).max(50).optional(),
      correct: z.boolean().optional().describe("Correct the record of a ticket that is complete"),
    })
    .strict(),
  async run(services: TicketRouteServices, { params, body: { correct = false, proof: told, ...sent }, ifMatch }, call) {
    const { tickets } = services;
    const before = await tickets.get(params.id);
    // Only a ticket that is complete has a record to correct; completing one always needs its proof.
    const { proof } = correct && before.status === "COMPLETE" ? {} : await requireProof(services, before, call);
    // The client may know that proof has lapsed. What it calls proven is proven by the records, or not at all. Of a correction
    // it says nothing: the ticket can be in progress again by now, and only the policy lets it be completed then.
    const verdict = proof !== undefined && told === "unproven" ? told : proof;
    const record = { ...sent, ...(verdict !== undefined && { proof: verdict }) };
    const judged = proof === "proven" ? before : undefined;
    return toResponse(await tickets.complete(authorOf(call, ifMatch), params.id, record, { correct, judged }), call);
  },
});

function applyExecutionEvent(ticket: Ticket, event: z.output<typeof executionEvent>, { by, at }: Asker): Transition {
  if (ticket.status !== "CREATED") throw notInProgress(ticket);
  const { executionEvents } = ticket.document;
  const events: unknown[] = Array.isArray(executionEvents) ? executionEvents : [];
  const id = `E-${events.length + 1}`;
  return {
    document: { ...ticket.document, executionEvents: [...events, { id, ...event, createdBy: by, createdAt: at }] },
    events: [{ kind: "updated", details: { executionEvent: id, type: event.type, title: event.title } }],
  };
}
