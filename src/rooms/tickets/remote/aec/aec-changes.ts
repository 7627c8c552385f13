import { ForgeError } from "../../../../kernel/errors.ts";
import { editDocument } from "../../model/edit-document.ts";
import type { FileChange, Question, Ticket, TicketChanges, TicketContent, TicketDocument } from "../../model/ticket.ts";
import { readFacts } from "../../reading/facts.ts";
import { recordOf } from "../../reading/loose.ts";
import { readContent } from "../../reading/read-content.ts";

/** What servers of the original kind can be told of a ticket, as pure functions. Fields that they do not know they refuse. */

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

/** The body of a PATCH; empty where nothing is to be changed. Throws for what cannot be changed there. */
export function buildPatch(ticket: Ticket, changes: TicketChanges): Record<string, unknown> {
  const { document, former } = editDocument(ticket, changes);
  const fixed = fixedFields.filter((field) =>
    field === "designRefs"
      ? Object.hasOwn(former, field)
      : changes[field] !== undefined && changes[field] !== ticket[field],
  );
  if (fixed.length > 0) throw cannotChange(ticket.id, fixed);
  const changed = (field: keyof TicketChanges) => Object.hasOwn(former, field);
  const { title, description, acceptanceCriteria, assumptions } = changes;
  return {
    ...(title !== undefined && title !== ticket.title && { title }),
    ...(changed("description") && { description }),
    ...(changed("acceptanceCriteria") && { acceptanceCriteria }),
    ...(changed("assumptions") && { assumptions }),
    ...(specFields.some(changed) && { techSpec: specIn(document) }),
  };
}

function specIn(document: TicketDocument): TicketDocument {
  const said = specFields.filter((field) => Object.hasOwn(document, field));
  return { ...recordOf(document["techSpec"]), ...Object.fromEntries(said.map((field) => [field, document[field]])) };
}

/** What differs between a ticket and a whole document that somebody wrote in its place. */
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

/** Without the layers that a server may sort them into. */
function plainFiles({ fileChanges }: TicketContent): FileChange[] {
  return fileChanges.map(({ path, action, notes }) => ({ path, action, ...(notes && { notes }) }));
}

/** Questions of a review session are that server's only ones; they count as the ticket's. */
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

function cannotChange(id: string, fields: readonly string[]): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `This server cannot change ${fields.join(" or ")} of ${id}. Nothing was changed.`,
    {
      details: { ticketId: id, fields },
      next: [`Leave ${fields.join(" and ")} out, or change it in the server's own pages.`],
    },
  );
}
