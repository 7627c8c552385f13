import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket } from "../model/ids.ts";
import { limits } from "../model/limits.ts";
import { isOpen } from "../model/questions.ts";
import { newQuestion } from "../model/ticket.ts";
import { status, ticketId } from "../model/ticket-fields.ts";
import { authorOf, dropAdoption, requireAllowed } from "../service/guard.ts";
import type { TicketServices } from "../service/tickets.ts";

export const submitReviewQuestions = defineTool({
  name: "submit_review_questions",
  title: "Add review questions to a ticket",
  description:
    "Call at the end of a review, with the questions that the user confirmed and the answers. Known questions are skipped.",
  effect: "add",
  core: true,
  input: z.object({ ticketId, questions: z.array(newQuestion).min(1).max(limits.questions) }),
  output: z.object({
    ticketId,
    status,
    added: z.array(z.string().max(100)).max(limits.questions).describe("Ids of the new questions, such as Q-1"),
    open: z.number().describe("How many of the ticket's questions have no answer"),
  }),
  about: aboutTicket,
  async run(services: TicketServices, { ticketId: given, questions }, call) {
    const before = await services.tickets.get(given);
    const id = await requireAllowed(services, call, before.id, (known) => ({
      summary: `Add ${questions.length} questions to ${known}`,
      content: { questions },
    }));
    const by = await authorOf(services, call);
    await dropAdoption(services, by, id);
    const ticket = await services.tickets.addQuestions(by, id, questions);
    const known = new Set(before.questions.map((question) => question.id));
    return {
      ticketId: ticket.id,
      status: ticket.status,
      added: ticket.questions.map((question) => question.id).filter((name) => !known.has(name)),
      open: ticket.questions.filter(isOpen).length,
    };
  },
});
