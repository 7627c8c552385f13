import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import { defineRoute } from "../../../kernel/route.ts";
import { limits } from "../model/limits.ts";
import { requireMove, requireStatus } from "../model/status.ts";
import { fileChange, type TicketChanges, ticketChanges, ticketDraft } from "../model/ticket.ts";
import { applyMove, applyReplacement } from "../model/transitions.ts";
import { readFacts } from "../reading/facts.ts";
import { applyEdit } from "./apply-edit.ts";
import { aboutTicket, documentFromWire, oneTicket, revisionOf, showTicket, ticketOnWire } from "./mappers.ts";
import { authorOf, resolveAssignee, type TicketRouteServices } from "./services.ts";

const statusName = z.string().max(64).describe("The new status, in the words of any generation of ticket servers");
const fileChanges = z.array(fileChange.strict()).max(limits.items).optional();
const anyDocument = z.record(z.string().max(limits.line), z.unknown());

export const createRoute = defineRoute({
  method: "POST",
  path: "/api/tickets",
  summary: "Writes a new ticket.",
  scope: "tickets:write",
  effect: "add",
  names: "none",
  params: z.object({}),
  query: z.object({}),
  body: ticketDraft
    .extend({
      fileChanges,
      status: statusName.optional().describe("DRAFT unless told; VALIDATED and READY can be given"),
      assignedTo: ticketDraft.shape.assignee.describe("The same as assignee: a member's id, `me`, or a name"),
    })
    .strict(),
  output: ticketOnWire,
  status: 201,
  async run(services: TicketRouteServices, { body: { status, assignee, assignedTo, ...draft } }, call) {
    const whose = await resolveAssignee(services, call, oneOf(assignee, assignedTo));
    const ticket = await services.tickets.create(
      authorOf(call),
      { ...draft, ...(whose !== undefined && { assignee: whose }) },
      { status: status === undefined ? undefined : requireStatus(status) },
    );
    return showTicket(ticket, call);
  },
  revision: revisionOf,
});

export const getRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/:id",
  summary: "A whole ticket.",
  scope: "tickets:read",
  effect: "read",
  names: "ticket",
  params: oneTicket,
  query: z.object({}),
  output: ticketOnWire,
  about: aboutTicket,
  async run({ tickets }: TicketRouteServices, { params }, call) {
    return showTicket(await tickets.get(params.id), call);
  },
  revision: revisionOf,
});

export const editRoute = defineRoute({
  method: "PATCH",
  path: "/api/tickets/:id",
  conditional: true,
  summary: "Changes fields of a ticket, its status, or all it says, as one change.",
  scope: "tickets:write",
  effect: "set",
  names: "ticket",
  params: oneTicket,
  query: z.object({}),
  body: ticketChanges
    .extend({
      fileChanges,
      status: statusName.optional(),
      assignedTo: ticketChanges.shape.assignee.describe("The same as assignee; null makes it nobody's"),
      techSpec: anyDocument.nullable().optional(),
      document: anyDocument.optional().describe("All the ticket says, in place of what it said; needs If-Match"),
    })
    .strict(),
  output: ticketOnWire,
  about: aboutTicket,
  async run(services: TicketRouteServices, { params, body, ifMatch }, call) {
    const { document, status, techSpec, assignee, assignedTo, ...fields } = body;
    const by = authorOf(call, ifMatch);
    if (Object.keys(body).length === 0) throw nothingToChange();
    if (document !== undefined) {
      if (Object.keys(body).length > 1) throw documentAlone();
      if (ifMatch === undefined) throw documentNeedsRevision();
      const ticket = await services.tickets.change(by, params.id, (before) => {
        const sent = documentFromWire(before, document);
        const { warnings: _, ...facts } = readFacts(sent);
        return applyReplacement(before, sent, facts);
      });
      return showTicket(ticket, call);
    }
    const whose = await resolveAssignee(services, call, oneOf(assignee, assignedTo));
    const changes: TicketChanges = { ...fields, ...(whose !== undefined && { assignee: whose }) };
    const edit = { changes, techSpec, status: status === undefined ? undefined : requireStatus(status) };
    const ticket = await services.tickets.change(by, params.id, (before) => applyEdit(before, edit, call.principal));
    return showTicket(ticket, call);
  },
  revision: revisionOf,
});

export const archiveRoute = defineRoute({
  method: "DELETE",
  path: "/api/tickets/:id",
  conditional: true,
  summary: "Archives a ticket. Nothing is destroyed: moved back to what it was, it is there again.",
  scope: "tickets:write",
  effect: "remove",
  names: "ticket",
  params: oneTicket,
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

function oneOf<T>(assignee: T | undefined, assignedTo: T | undefined): T | undefined {
  if (assignee === undefined || assignedTo === undefined || assignee === assignedTo)
    return assignee === undefined ? assignedTo : assignee;
  throw new ForgeError("VALIDATION_ERROR", "assignee and assignedTo are one field and say different things.", {
    next: ["Give one of them."],
  });
}

function nothingToChange(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "No field to change was given.", {
    next: [`Give at least one of ${Object.keys(ticketChanges.shape).join(", ")}, status.`],
  });
}

function documentAlone(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "`document` is all that a ticket says, so no other field goes with it.", {
    next: ["Put the other fields into the document, or leave the document out."],
  });
}

function documentNeedsRevision(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Replacing a whole document needs the revision it was read at.", {
    next: ["Read the ticket, and send its ETag as If-Match."],
  });
}
