import * as z from "zod";
import type { Call } from "../../../kernel/calls/call.ts";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import { changedBeforeCompletion, nothingToChange } from "../model/errors.ts";
import { limits } from "../model/limits.ts";
import { requireMove, requireStatus } from "../model/status.ts";
import { fileChange, type Ticket, type TicketChanges, ticketChanges, ticketDraft } from "../model/ticket.ts";
import { applyMove, requireSameProof } from "../model/transitions.ts";
import { previewEdit, requireProof, requireProofOfEdit } from "../service/ports/require-proof.ts";
import { applyEdit, type TicketEdit } from "./apply-edit.ts";
import { assigneesDiffer, documentNeedsRevision, documentNotAlone } from "./errors.ts";
import { isLegacy, legacyTicket, toLegacyTicket } from "./legacy-client.ts";
import { aboutTicket, documentFromRequest, revisionOf, toResponse } from "./mappers.ts";
import { ticketParams, ticketResponse, toWorkBase, workBase } from "./schemas.ts";
import { authorOf, resolveAssignee, type TicketRouteServices } from "./services.ts";

const statusName = z.string().max(64).describe("The new status, by its current or a legacy name");
const fileChanges = z.array(fileChange.strict()).max(limits.items).optional();
const anyDocument = z.record(z.string().max(limits.line), z.unknown());

export const createRoute = defineRoute({
  method: "POST",
  path: "/api/tickets",
  operation: "create_ticket",
  summary: "Creates a ticket.",
  scope: "tickets:write",
  effect: "add",
  names: "none",
  params: z.object({}),
  query: z.object({}),
  body: ticketDraft
    .extend({
      fileChanges,
      status: statusName.optional().describe("Default: DRAFT. Can be VALIDATED or READY"),
      assignedTo: ticketDraft.shape.assignee.describe("Same as assignee: a member's id, `me`, or a name"),
    })
    .strict(),
  output: ticketResponse,
  status: 201,
  async run(services: TicketRouteServices, { body: { status, assignee, assignedTo, ...draft } }, call) {
    const name = await resolveAssignee(services, call, sameAssignee(assignee, assignedTo));
    const ticket = await services.tickets.create(
      authorOf(call),
      { ...draft, ...(name !== undefined && { assignee: name }) },
      { status: status === undefined ? undefined : requireStatus(status) },
    );
    return toResponse(ticket, call);
  },
  revision: revisionOf,
});

export const getRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/:id",
  operation: ["get_ticket_context", "get_ticket"],
  summary: "A ticket in full.",
  scope: "tickets:read",
  effect: "read",
  names: "ticket",
  params: ticketParams,
  query: z.object({}),
  output: z.union([ticketResponse, legacyTicket]),
  about: aboutTicket,
  async run({ tickets }: TicketRouteServices, { params }, call) {
    return answerWith(await tickets.get(params.id), call);
  },
  revision: revisionOf,
});

export const editRoute = defineRoute({
  method: "PATCH",
  path: "/api/tickets/:id",
  operation: ["update_ticket", "update_ticket_status"],
  conditional: true,
  summary: "Changes fields of a ticket, its status, or its complete document, as one change.",
  scope: "tickets:write",
  effect: "set",
  names: "ticket",
  params: ticketParams,
  query: z.object({}),
  body: ticketChanges
    .extend({
      fileChanges,
      status: statusName.optional(),
      assignedTo: ticketChanges.shape.assignee.describe("Same as assignee; null unassigns the ticket"),
      executionBase: workBase.optional().describe("Where in the repository work starts, with the status CREATED"),
      techSpec: anyDocument.nullable().optional(),
      document: anyDocument.optional().describe("Replaces the complete document; needs If-Match"),
    })
    .strict(),
  output: z.union([ticketResponse, legacyTicket]),
  about: aboutTicket,
  async run(services: TicketRouteServices, { params, body, ifMatch }, call) {
    const { document, status, techSpec, executionBase, assignee, assignedTo, ...fields } = body;
    const by = authorOf(call, ifMatch);
    if (Object.keys(body).length === 0) throw nothingToChange([...Object.keys(ticketChanges.shape), "status"]);
    if (document !== undefined) {
      if (Object.keys(body).length > 1) throw documentNotAlone();
      if (ifMatch === undefined) throw documentNeedsRevision();
      const before = await services.tickets.get(params.id);
      const sent = documentFromRequest(before, document);
      const { proof } = await requireProofOfEdit(services, before, sent, call);
      if (proof !== undefined && before.revision < ifMatch) throw changedBeforeCompletion(before.id);
      return answerWith(await services.tickets.replace(by, params.id, sent, ifMatch, proof), call);
    }
    const name = await resolveAssignee(services, call, sameAssignee(assignee, assignedTo));
    const changes: TicketChanges = { ...fields, ...(name !== undefined && { assignee: name }) };
    const wanted = status === undefined ? undefined : requireStatus(status);
    if (wanted === "CREATED") await services.tickets.requireUnblocked(params.id);
    if (changes.dependsOn?.length) await services.tickets.requireUsable(params.id, changes.dependsOn);
    const edit = { changes, techSpec, status: wanted, base: executionBase && toWorkBase(executionBase) };
    const { proof, judged } = await judge(services, params.id, edit, call);
    const ticket = await services.tickets.change(by, params.id, (before) => {
      if (judged) requireSameProof(judged, before);
      return applyEdit(before, { ...edit, proof }, call.principal);
    });
    return answerWith(ticket, call);
  },
  revision: revisionOf,
});

export const archiveRoute = defineRoute({
  method: "DELETE",
  path: "/api/tickets/:id",
  conditional: true,
  summary: "Archives a ticket. It is not deleted: moving it back to its previous status restores it.",
  scope: "tickets:write",
  effect: "remove",
  names: "ticket",
  params: ticketParams,
  query: z.object({}),
  output: z.object({}),
  status: 204,
  about: aboutTicket,
  async run({ tickets }: TicketRouteServices, { params, ifMatch }, call) {
    await tickets.change(authorOf(call, ifMatch), params.id, (before) => {
      requireMove(before.id, before.status, "ARCHIVED", before.previousStatus);
      return before.status === "ARCHIVED" ? undefined : applyMove(before, "ARCHIVED", call.principal);
    });
    return {};
  },
});

function answerWith(ticket: Ticket, call: Call): z.input<typeof ticketResponse> | z.input<typeof legacyTicket> {
  return isLegacy(call.principal) ? toLegacyTicket(ticket) : toResponse(ticket, call);
}

/** What the policy says about a request that completes a ticket; throws where proof is required and missing. */
async function judge(
  services: TicketRouteServices,
  id: string,
  edit: TicketEdit,
  call: Call,
): Promise<Pick<TicketEdit, "proof"> & { judged?: Ticket }> {
  if (edit.status !== "COMPLETE") return {};
  const ticket = await services.tickets.get(id);
  const transition =
    ticket.status === "CREATED" ? applyEdit(ticket, { ...edit, proof: "unproven" }, call.principal) : undefined;
  if (!transition) return {};
  const { proof } = await requireProof(services, previewEdit(ticket, transition, call), call);
  return { proof, ...(proof === "proven" && { judged: ticket }) };
}

/** Two names of one field. */
function sameAssignee<T>(assignee: T | undefined, assignedTo: T | undefined): T | undefined {
  if (assignee !== undefined && assignedTo !== undefined && assignee !== assignedTo) throw assigneesDiffer();
  return assignee === undefined ? assignedTo : assignee;
}
