import { isRecord } from "../../../kernel/json.ts";
import { limits } from "../model/limits.ts";
import type { Question, TicketContent } from "../model/ticket.ts";
import { isoDate } from "./dates.ts";
import { field, type Loose, listOf, parseStructured, present, recordOf, textOf } from "./loose.ts";
import { inline } from "./plain-text.ts";

type ReviewSession = NonNullable<TicketContent["reviewSession"]>;
type QuestionWithoutId = Omit<Question, "id"> & { id: string | undefined };

const idPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;

/** Questions about a ticket with their answers, each with a unique id. */
export function readQuestions(document: Loose, techSpec: Loose): Question[] {
  const places = [
    field(document, "questions"),
    field(techSpec, "clarificationQuestions"),
    field(techSpec, "questions"),
  ];
  const lists = places.map((place) => questionsIn(parseStructured(place)));
  return assignIds(lists.find((list) => list.length > 0) ?? []);
}

/** A list, a list within an object, or an object with questions by id. */
function questionsIn(value: unknown): QuestionWithoutId[] {
  if (!isRecord(value)) return listOf(value).flatMap((entry) => questionOf(entry, undefined));
  if (textOf(field(value, "question", "text"))) return questionOf(value, undefined);
  const inside = parseStructured(field(value, "questions", "items"));
  if (Array.isArray(inside)) return inside.flatMap((entry) => questionOf(entry, undefined));
  return Object.entries(value).flatMap(([id, entry]) => questionOf(entry, id));
}

function questionOf(entry: unknown, key: string | undefined): QuestionWithoutId[] {
  const given = recordOf(entry) ?? { question: typeof entry === "string" ? entry : undefined };
  const question = textOf(field(given, "question", "text", "title"));
  if (question === undefined) return [];
  const id = textOf(field(given, "id", "questionId")) ?? key;
  const category = textOf(field(given, "category"));
  const blocking = field(given, "blocking", "isBlocking");
  const fields = {
    category: category && category.length <= limits.name ? category : undefined,
    blocking: typeof blocking === "boolean" ? blocking : undefined,
    answer: answerOf(field(given, "answer", "response")),
    askedBy: name(field(given, "askedBy")),
    askedAt: isoDate(field(given, "askedAt")),
    answeredBy: name(field(given, "answeredBy")),
    answeredAt: isoDate(field(given, "answeredAt")),
    dismissed: textOf(field(given, "dismissed")),
    dismissedBy: name(field(given, "dismissedBy")),
    dismissedAt: isoDate(field(given, "dismissedAt")),
  };
  return [{ id: id && idPattern.test(id) ? id : undefined, question, ...present(fields) }];
}

function answerOf(value: unknown): string | undefined {
  return isRecord(value) ? (textOf(field(value, "text", "answer", "value")) ?? inline(value)) : inline(value);
}

function name(value: unknown): string | undefined {
  const text = isRecord(value) ? textOf(field(value, "displayName", "name", "email", "id")) : textOf(value);
  return text && text.length <= limits.line ? text : undefined;
}

/** Of two with the same id, the first keeps it. */
function assignIds(questions: readonly QuestionWithoutId[]): Question[] {
  const known = new Set(questions.map(({ id }) => id));
  const given = new Set<string>();
  let next = 0;
  return questions.map(({ id, ...question }) => {
    if (id !== undefined && !given.has(id)) {
      given.add(id);
      return { id, ...question };
    }
    do next++;
    while (known.has(`Q-${next}`));
    return { id: `Q-${next}`, ...question };
  });
}

/** The questions and answers of a review; undefined if there are none. */
export function readReviewSession(value: unknown): ReviewSession | undefined {
  const given = parseStructured(value);
  const session = isRecord(given) ? given : { qaItems: given };
  const qaItems = listOf(field(session, "qaItems")).flatMap((item) => {
    const question = isRecord(item) ? textOf(field(item, "question")) : undefined;
    return isRecord(item) && question !== undefined
      ? [{ question, answer: answerOf(field(item, "answer")) ?? "" }]
      : [];
  });
  const submittedAt = isoDate(field(session, "submittedAt"));
  return qaItems.length > 0 ? { qaItems, ...present({ submittedAt }) } : undefined;
}
