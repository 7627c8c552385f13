import * as z from "zod";
import type { Call } from "../../../kernel/calls/call.ts";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { limits } from "../model/limits.ts";
import { type Asker, requireNoBlockers } from "../model/questions.ts";
import { canResume, requireGate } from "../model/status.ts";
import { question } from "../model/ticket/schema-parts.ts";
import { type NewQuestion, newQuestion, type Ticket } from "../model/ticket.ts";
import { applyMove, applyQuestions, type Transition } from "../model/transitions.ts";
import { readContent } from "../reading/read-content.ts";
import { isLegacy, toLegacyStatus } from "./legacy-client.ts";
import { aboutTicket, revisionOf, toResponse } from "./mappers.ts";
import { ticketParams, ticketResponse } from "./schemas.ts";
import { authorOf, type TicketRouteServices } from "./services.ts";

const onOneTicket = { names: "ticket", params: ticketParams, query: z.object({}), about: aboutTicket } as const;

export const questionsRoute = defineRoute({
  ...onOneTicket,
  method: "GET",
  path: "/api/tickets/:id/questions",
  summary: "A ticket's questions, with their answers.",
  scope: "tickets:read",
  effect: "read",
  output: z.object({ questions: z.array(question), revision: z.number() }),
  async run({ tickets }: TicketRouteServices, { params }) {
    const ticket = await tickets.get(params.id);
    return { questions: ticket.questions, revision: ticket.revision };
  },
  revision: revisionOf,
});

export const askRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  operation: "submit_review_questions",
  path: "/api/tickets/:id/questions",
  conditional: true,
  summary: "Adds questions to a ticket. A question that is already there is not added again.",
  scope: "tickets:write",
  effect: "add",
  body: z.strictObject({ questions: z.array(newQuestion.strict()).min(1).max(limits.questions) }),
  output: ticketResponse,
  async run({ tickets }: TicketRouteServices, { params, body, ifMatch }, call) {
    return toResponse(await tickets.addQuestions(authorOf(call, ifMatch), params.id, body.questions), call);
  },
  revision: revisionOf,
});

const textsById = z
  .record(z.string().max(limits.line), z.string().trim().min(1).max(limits.text))
  .refine((texts) => Object.keys(texts).length > 0, "must name a question");

export const dismissRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  path: "/api/tickets/:id/dismissals",
  conditional: true,
  summary: "Dismisses a ticket's questions by their ids, with a reason each. Only for a person.",
  scope: "tickets:write",
  effect: "set",
  body: z.strictObject({ reasons: textsById.describe('By question id: {"Q-1": "…"}') }),
  output: ticketResponse,
  async run({ tickets }: TicketRouteServices, { params, body, ifMatch }, call) {
    return toResponse(await tickets.dismiss(authorOf(call, ifMatch), params.id, body.reasons), call);
  },
  revision: revisionOf,
});

export const answerRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  path: "/api/tickets/:id/answers",
  conditional: true,
  summary: "Answers a ticket's questions by their ids.",
  scope: "tickets:write",
  effect: "set",
  body: z.strictObject({ answers: textsById.describe('By question id: {"Q-1": "…"}') }),
  output: ticketResponse,
  async run({ tickets }: TicketRouteServices, { params, body, ifMatch }, call) {
    return toResponse(await tickets.answer(authorOf(call, ifMatch), params.id, body.answers), call);
  },
  revision: revisionOf,
});

const changedTicket = z.object({
  success: z.literal(true),
  ticketId: z.string(),
  status: z.string().max(64).describe("In lower case for forge-cli 1.0.1"),
  revision: z.number(),
});

function describeChange({ id, status, revision }: Ticket, { principal }: Call) {
  const shown = isLegacy(principal) ? toLegacyStatus(status) : status;
  return { success: true as const, ticketId: id, status: shown, revision };
}

const answered = z.strictObject({
  question: newQuestion.shape.question,
  answer: z.string().trim().min(1).max(limits.text),
});

export const reviewSessionRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  path: "/api/tickets/:id/review-session",
  conditional: true,
  summary: "Submits the questions and answers of a review.",
  scope: "tickets:write",
  effect: "set",
  body: z.strictObject({ qaItems: z.array(answered).min(1).max(limits.questions) }),
  output: changedTicket,
  async run({ tickets }: TicketRouteServices, { params, body, ifMatch }, call) {
    const by = authorOf(call, ifMatch);
    const ticket = await tickets.change(by, params.id, (before, asker) => applyQuestions(before, body.qaItems, asker));
    return describeChange(ticket, call);
  },
  revision: revisionOf,
});

/** As forge-cli 1.0.1 starts work: the branch is already there, and the developer may have answered questions. */
export const startImplementationRoute = defineRoute({
  ...onOneTicket,
  method: "POST",
  path: "/api/tickets/:id/start-implementation",
  conditional: true,
  summary: "Starts work on a ticket on a branch, with the questions and answers that came before it.",
  scope: "tickets:write",
  effect: "set",
  body: z.strictObject({
    branchName: z
      .string()
      .trim()
      .max(limits.line)
      .regex(/^forge\/./, "must start with forge/"),
    qaItems: z.array(answered).max(limits.questions).optional(),
  }),
  output: changedTicket.extend({ branchName: z.string() }),
  async run({ tickets }: TicketRouteServices, { params, body: { branchName, qaItems = [] }, ifMatch }, call) {
    const ticket = await tickets.change(authorOf(call, ifMatch), params.id, (before, asker) =>
      applyImplementation(before, { branchName, qaItems, asker, principal: call.principal }),
    );
    return { ...describeChange(ticket, call), branchName };
  },
  revision: revisionOf,
});

type Implementation = { branchName: string; qaItems: NewQuestion[]; asker: Asker; principal: Principal };

function applyImplementation(ticket: Ticket, { branchName, qaItems, asker, principal }: Implementation): Transition {
  requireGate("execute", ticket, canResume(ticket, principal.name));
  const asked = applyQuestions(ticket, qaItems, asker);
  const document = { ...(asked?.document ?? ticket.document), implementationBranch: branchName };
  const prepared = { ...ticket, ...readContent(document), document };
  requireNoBlockers(prepared, "work starts");
  const move =
    ticket.status === "CREATED" ? { events: [] } : applyMove(prepared, "CREATED", principal, { branch: branchName });
  return { document, ...move, events: [...(asked?.events ?? []), ...move.events] };
}
