import { isRecord } from "../../../kernel/json.ts";
import { questionNotFound } from "./errors.ts";
import type { NewQuestion, Question, Ticket, TicketDocument } from "./ticket.ts";

/** Questions are kept in the ticket's document, in the shape they came in; these functions change them there. */

export type Asker = { by: string; at: string };

/** Adds the questions that are not there yet; one that is sent twice is asked once. */
export function addQuestions(
  { document, questions }: Ticket,
  asked: readonly NewQuestion[],
  { by, at }: Asker,
): { document: TicketDocument; added: Question[] } {
  const known = new Set(questions.map(({ question }) => question));
  let last = highestNumber(questions);
  const added = asked
    .filter(({ question }) => !known.has(question) && known.add(question))
    .map((question) => ({ ...question, id: `Q-${++last}`, askedBy: by, askedAt: at }));
  return { document: { ...document, questions: [...rawQuestions(document, questions), ...added] }, added };
}

/** Answers questions by id. Answered questions also become the review session, for programs that only know that. */
export function answerQuestions(
  { id, document, questions }: Ticket,
  answers: Readonly<Record<string, string>>,
  { by, at }: Asker,
): TicketDocument {
  const raw = rawQuestions(document, questions);
  const answered = questions.map((question) => ({ ...question }));
  for (const [name, answer] of Object.entries(answers)) {
    const index = questions.findIndex((question) => question.id.toLowerCase() === name.toLowerCase());
    const question = answered[index];
    if (!question)
      throw questionNotFound(
        id,
        name,
        questions.map((known) => known.id),
      );
    const given = { answer, answeredBy: by, answeredAt: at };
    raw[index] = { ...rawObject(raw[index], question), ...given };
    Object.assign(question, given);
  }
  const qaItems = answered.flatMap(({ question, answer }) => (answer === undefined ? [] : [{ question, answer }]));
  return { ...document, questions: raw, reviewSession: { qaItems, submittedAt: at } };
}

/** One entry per question, in its original shape if entries and questions can be matched. */
function rawQuestions({ questions: raw }: TicketDocument, questions: readonly Question[]): unknown[] {
  return Array.isArray(raw) && raw.length === questions.length ? [...raw] : [...questions];
}

function rawObject(raw: unknown, question: Question): Record<string, unknown> {
  return isRecord(raw) ? { ...raw, id: question.id } : { ...question };
}

function highestNumber(questions: readonly Question[]): number {
  return questions.reduce((highest, { id }) => Math.max(highest, Number(/^Q-(\d{1,6})$/.exec(id)?.[1] ?? 0)), 0);
}
