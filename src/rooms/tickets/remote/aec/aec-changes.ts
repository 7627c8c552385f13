import { editDocument } from "../../model/edit-document.ts";
import type { FileChange, Question, Ticket, TicketChanges, TicketContent, TicketDocument } from "../../model/ticket.ts";
import { readFacts } from "../../reading/facts.ts";
import { recordOf } from "../../reading/loose.ts";
import { readContent } from "../../reading/read-content.ts";
import { fieldsNotSupported } from "../errors.ts";

/** Changes in the form that AEC servers accept, as pure functions. They reject fields that they do not know. */

const specFields = [
  "problemStatement",
  "solution",
  "apiChanges",
  "testPlan",
  "inScope",
  "outOfScope",
  "fileChanges",
] as const;
const fixedFields = ["type", "priority", "designRefs"] as const;

/** The body of a PATCH request; empty if nothing changes. Throws for fields that cannot be changed there. */
export function buildPatch(ticket: Ticket, changes: TicketChanges): Record<string, unknown> {
  const { document, former } = editDocument(ticket, changes);
  const fixed = fixedFields.filter((field) =>
    field === "designRefs"
      ? Object.hasOwn(former, field)
      : changes[field] !== undefined && changes[field] !== ticket[field],
  );
  if (fixed.length > 0) throw fieldsNotSupported(ticket.id, fixed);
  const isChanged = (field: keyof TicketChanges) => Object.hasOwn(former, field);
  const { title, description, acceptanceCriteria, assumptions } = changes;
  return {
    ...(title !== undefined && title !== ticket.title && { title }),
    ...(isChanged("description") && { description }),
    ...(isChanged("acceptanceCriteria") && { acceptanceCriteria }),
    ...(isChanged("assumptions") && { assumptions }),
    ...(specFields.some(isChanged) && { techSpec: specIn(document) }),
  };
}

function specIn(document: TicketDocument): TicketDocument {
  const given = specFields.filter((field) => Object.hasOwn(document, field));
  return { ...recordOf(document["techSpec"]), ...Object.fromEntries(given.map((field) => [field, document[field]])) };
}

/** The differences between a ticket and a document that is to replace it. */
export function diffTicket(ticket: Ticket, document: TicketDocument): TicketChanges {
  const facts = readFacts(document);
  const content = readContent(document);
  const { title = ticket.title, assignee = null, type, priority } = facts;
  const { description = "", problemStatement = "", solution = "", apiChanges = "", testPlan = "" } = content;
  const { designRefs, assumptions, inScope, outOfScope } = content;
  const [files, filesBefore] = [plainFiles(content), plainFiles(ticket)];
  return {
    title,
    ...(type && { type }),
    ...(priority && { priority }),
    ...(assignee !== (ticket.assignee ?? null) && { assignee }),
    description,
    problemStatement,
    solution,
    apiChanges,
    testPlan,
    designRefs,
    assumptions,
    inScope,
    outOfScope,
    acceptanceCriteria: content.criteria.map(({ text }) => text),
    ...(JSON.stringify(files) !== JSON.stringify(filesBefore) && { fileChanges: files }),
  };
}

/** Without the layers that a server may have added. */
function plainFiles({ fileChanges }: TicketContent): FileChange[] {
  return fileChanges.map(({ path, action, notes }) => ({ path, action, ...(notes && { notes }) }));
}

/** AEC servers keep questions in the review session only; they count as the ticket's questions. */
export function withReviewQuestions(ticket: Ticket): Ticket {
  const known = new Set(ticket.questions.map(({ question }) => question));
  const reviewed = (ticket.reviewSession?.qaItems ?? []).filter(({ question }) => !known.has(question));
  const questions: Question[] = reviewed.map(({ question, answer }, index) => ({
    id: `Q-${ticket.questions.length + index + 1}`,
    question,
    ...(answer !== "" && { answer }),
  }));
  return { ...ticket, questions: [...ticket.questions, ...questions] };
}
