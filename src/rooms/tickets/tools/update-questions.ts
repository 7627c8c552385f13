import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { answeredTwice, invalidAnswer } from "../model/errors.ts";
import { aboutTicket } from "../model/ids.ts";
import { limits } from "../model/limits.ts";
import { question } from "../model/ticket/schema-parts.ts";
import { newQuestion } from "../model/ticket.ts";
import { status, ticketId } from "../model/ticket-fields.ts";
import { authorOf, dropAdoption, requireAllowed } from "../service/guard.ts";
import type { TicketServices } from "../service/tickets.ts";

const { question: text, category } = newQuestion.shape;

export const updateQuestions = defineTool({
  name: "update_questions",
  title: "Ask and answer a ticket's questions",
  description: "Answers and dismisses questions of a ticket, and adds new ones.",
  effect: "set",
  surfaces: ["cli"],
  input: z.object({
    ticketId,
    answer: z
      .array(z.string().max(limits.text))
      .max(limits.questions)
      .optional()
      .describe("Answer a question: its id, = and the text"),
    dismiss: z
      .array(z.string().max(limits.text))
      .max(limits.questions)
      .optional()
      .describe("Dismiss a question: its id, = and why it needs no answer"),
    ask: z.array(text).max(limits.questions).optional().describe("Ask a new question"),
    blocking: z.boolean().optional().describe("Work cannot start before the new question is answered"),
    category: category.describe("What the new question is about"),
  }),
  output: z.object({
    id: z.string().max(limits.line),
    status,
    questions: z.array(question).max(limits.ticket),
    stale: z.string().max(40).optional(),
  }),
  about: aboutTicket,
  async run(services: TicketServices, { ticketId, ...input }, call) {
    const { tickets } = services;
    const { answer, dismiss, ask, blocking = false, category: about } = input;
    const isChange = answer !== undefined || dismiss !== undefined || ask !== undefined;
    const describe = (id: string) => ({ summary: `Answer or ask questions of ${id}`, content: input });
    const given = isChange ? await requireAllowed(services, call, ticketId, describe) : ticketId;
    const by = await authorOf(services, call);
    if (isChange) await dropAdoption(services, by, given);
    if (answer) await tickets.answer(by, given, parseAnswers(answer));
    if (dismiss) await tickets.dismiss(by, given, parseAnswers(dismiss));
    const asked = ask?.map((one) => ({ question: one, blocking, ...(about && { category: about }) }));
    const ticket = asked ? await tickets.addQuestions(by, given, asked) : await tickets.get(given);
    const { id, status: current, questions, stale } = ticket;
    return { id, status: current, questions, ...(stale !== undefined && { stale }) };
  },
});

function parseAnswers(words: readonly string[]): Record<string, string> {
  const answers = new Map<string, string>();
  for (const word of words) {
    const equals = word.indexOf("=");
    const id = word.slice(0, Math.max(0, equals)).trim();
    const answer = word.slice(equals + 1).trim();
    if (id === "" || answer === "") throw invalidAnswer(word);
    if (answers.has(id)) throw answeredTwice(id);
    answers.set(id, answer);
  }
  return Object.fromEntries(answers);
}
