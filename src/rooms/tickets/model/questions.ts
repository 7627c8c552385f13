import { isRecord } from "../../../kernel/json.ts";
import { blockedByQuestions, onlyAPersonDismisses, questionNotFound } from "./errors.ts";
import type { NewQuestion, Question, Ticket, TicketDocument } from "./ticket.ts";

/** Questions are kept in the ticket's document, in the shape they came in; these functions change them there. */

export type Asker = { by: string; at: string };

export function isOpen({ answer, dismissed }: Pick<Question, "answer" | "dismissed">): boolean {
  return (answer ?? "").trim() === "" && dismissed === undefined;
}

/** The BLOCKING questions that nobody has answered or dismissed. */
export function blockersOf({ questions }: Pick<Ticket, "questions">): Question[] {
  return questions.filter((question) => question.blocking && isOpen(question));
}

/** Throws if BLOCKING questions are open; `to` continues "before …": `work starts`. */
export function requireNoBlockers(ticket: Pick<Ticket, "id" | "questions" | "foreign">, to: string): void {
  const open = blockersOf(ticket);
  if (open.length > 0) throw blockedByQuestions(ticket, open, to);
}

/** Throws if an edit takes an open BLOCKING question away in another way than by an answer. */
export function requireBlockersKept(before: Pick<Ticket, "questions">, after: Pick<Ticket, "questions">): void {
  const kept = new Map(after.questions.map((question) => [question.question, question]));
  for (const { question } of blockersOf(before)) {
    const now = kept.get(question);
    const isAnswered = (now?.answer ?? "").trim() !== "";
    if (!isAnswered && !(now?.blocking && isOpen(now))) throw onlyAPersonDismisses();
  }
}

type Asked = { document: TicketDocument; added: Question[]; answered: string[] };

/** Adds the questions that are not there yet, with their answers; one that is sent twice is asked once. */
export function addQuestions(ticket: Ticket, asked: readonly NewQuestion[], asker: Asker): Asked {
  const { document, questions } = ticket;
  const known = new Set(questions.map(({ question }) => question));
  let last = highestNumber(questions);
  const added = asked
    .filter(({ question }) => !known.has(question) && known.add(question))
    .map(({ answer: _, ...question }) => ({ ...question, id: `Q-${++last}`, askedBy: asker.by, askedAt: asker.at }));
  const all = [...questions, ...added];
  const answers = answersIn(asked, all);
  const grown = { ...document, questions: [...rawQuestions(document, questions), ...added] };
  const answered = Object.keys(answers);
  if (answered.length === 0) return { document: grown, added, answered };
  return { document: answerQuestions({ ...ticket, document: grown, questions: all }, answers, asker), added, answered };
}

/** By question id; an answer that is there already is none. */
function answersIn(asked: readonly NewQuestion[], all: readonly Question[]): Record<string, string> {
  const answers: Record<string, string> = {};
  for (const { question, answer } of asked) {
    const known = all.find((one) => one.question === question);
    if (known && answer !== undefined && answer !== known.answer) answers[known.id] = answer;
  }
  return answers;
}

/** Answers questions by id. Answered questions also become the review session, for programs that only know that. */
export function answerQuestions(
  ticket: Pick<Ticket, "id" | "document" | "questions">,
  answers: Readonly<Record<string, string>>,
  { by, at }: Asker,
): TicketDocument {
  const { questions, raw } = changeQuestions(ticket, answers, (answer) => ({
    answer,
    answeredBy: by,
    answeredAt: at,
    dismissed: undefined,
    dismissedBy: undefined,
    dismissedAt: undefined,
  }));
  const qaItems = questions.flatMap(({ question, answer }) => (answer === undefined ? [] : [{ question, answer }]));
  return { ...ticket.document, questions: raw, reviewSession: { qaItems, submittedAt: at } };
}

/** A person's decision that questions need no answer, with the reasons, by question id. */
export function dismissQuestions(
  ticket: Pick<Ticket, "id" | "document" | "questions">,
  reasons: Readonly<Record<string, string>>,
  { by, at }: Asker,
): TicketDocument {
  const { raw } = changeQuestions(ticket, reasons, (dismissed) => ({ dismissed, dismissedBy: by, dismissedAt: at }));
  return { ...ticket.document, questions: raw };
}

type QuestionChange = { [field in keyof Question]?: string | undefined };

function changeQuestions(
  { id, document, questions }: Pick<Ticket, "id" | "document" | "questions">,
  texts: Readonly<Record<string, string>>,
  changeOf: (text: string) => QuestionChange,
): { questions: Question[]; raw: unknown[] } {
  const raw = rawQuestions(document, questions);
  const changed = questions.map((question) => ({ ...question }));
  for (const [name, text] of Object.entries(texts)) {
    const index = questions.findIndex((question) => question.id.toLowerCase() === name.toLowerCase());
    const question = changed[index];
    if (!question) {
      const known = questions.map((one) => one.id);
      throw questionNotFound(id, name, known);
    }
    const change = changeOf(text);
    raw[index] = { ...rawObject(raw[index], question), ...change };
    Object.assign(question, change);
  }
  return { questions: changed, raw };
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
