import * as z from "zod";
import { defineTool } from "../../../kernel/tool.ts";
import { aboutTicket } from "../model/ids.ts";
import { limits } from "../model/limits.ts";
import { newQuestion, status, ticketId } from "../model/ticket.ts";
import { authorOf, requireAllowed } from "../service/guard.ts";
import type { TicketServices } from "../service/tickets.ts";

export const submitReviewQuestions = defineTool({
  name: "submit_review_questions",
  title: "Put review questions on a ticket",
  description: [
    "Call it at the end of a review, with the questions that the person wants asked of the ticket's author.",
    "They are kept with the ticket until they are answered; one that is there already is not added twice. `blocking` marks what must be answered before work starts.",
  ].join("\n"),
  effect: "add",
  input: z.object({ ticketId, questions: z.array(newQuestion).min(1).max(limits.questions) }),
  output: z.object({
    ticketId,
    status,
    added: z.array(z.string().max(100)).max(limits.questions).describe("Ids of the questions, Q-1 and so on"),
    open: z.number().describe("Questions of the ticket that have no answer yet"),
  }),
  about: aboutTicket,
  async run(services: TicketServices, { ticketId: given, questions }, call) {
    const before = await services.tickets.get(given);
    const { id } = before;
    const summary = `Add ${questions.length} questions to ${id}`;
    await requireAllowed(services, call, { id, summary, content: questions });
    const ticket = await services.tickets.addQuestions(await authorOf(services, call), id, questions);
    const known = new Set(before.questions.map((question) => question.id));
    return {
      ticketId: id,
      status: ticket.status,
      added: ticket.questions.map((question) => question.id).filter((name) => !known.has(name)),
      open: ticket.questions.filter(({ answer }) => answer === undefined).length,
    };
  },
});
