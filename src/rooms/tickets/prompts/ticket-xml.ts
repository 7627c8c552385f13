import { readWork } from "../model/records/read-work.ts";
import type { Criterion, Question, Ticket } from "../model/ticket.ts";
import { XmlText } from "./xml-text.ts";

type Task = { id: string; name: string; status: string };

/** The ticket as one element, with what Forge knows of its work. `proof`: each criterion's state here and now. */
export function writeTicketXml(
  ticket: Ticket,
  tasks: readonly Task[] = [],
  proof: Record<string, string> = readWork(ticket).proof ?? {},
): string {
  const content = new XmlText();
  writeContent(content, ticket);
  content.field("apiChanges", ticket.apiChanges);
  content.field("testPlan", ticket.testPlan);
  content.list("designRefs", ticket.designRefs, (reference) => content.item("item", reference));
  writeSurroundings(content, ticket);
  writeRecords(content, ticket, { tasks, proof });
  const element = new XmlText();
  const { id, status } = ticket;
  element.nest("ticket", { id, status }, () => {
    element.list("warnings", warningsOf(content), (warning) => element.item("warning", warning));
    element.add(content);
  });
  return String(element);
}

function writeContent(xml: XmlText, ticket: Ticket): void {
  xml.field("title", ticket.title);
  xml.field("type", ticket.type);
  xml.field("priority", ticket.priority);
  xml.field("assignee", ticket.assignee);
  xml.field("description", ticket.description);
  xml.field("problemStatement", ticket.problemStatement);
  xml.field("solution", ticket.solution);
  xml.list("acceptanceCriteria", ticket.criteria, (criterion) =>
    xml.item("item", withNotes(criterion), { id: criterion.id }),
  );
  xml.list("fileChanges", ticket.fileChanges, ({ path, action, layer, notes }) =>
    xml.item("change", notes, { path, action, layer }),
  );
}

function writeSurroundings(xml: XmlText, { assumptions, inScope, outOfScope, questions, reviewSession }: Ticket): void {
  xml.list("assumptions", assumptions, (assumption) => xml.item("item", assumption));
  xml.list("inScope", inScope, (part) => xml.item("item", part));
  xml.list("outOfScope", outOfScope, (part) => xml.item("item", part));
  xml.list("questions", questions, (question) => writeQuestion(xml, question));
  xml.list("reviewSession", reviewSession?.qaItems ?? [], (item) => writeQuestion(xml, item));
}

function writeRecords(
  xml: XmlText,
  ticket: Ticket,
  { tasks, proof }: { tasks: readonly Task[]; proof: Record<string, string> },
): void {
  const { labels = [], dependsOn = [], work = [], comments = [] } = readWork(ticket);
  xml.list("labels", labels, (label) => xml.item("item", label));
  xml.list("dependsOn", dependsOn, (id) => xml.item("item", id));
  xml.list("tasks", tasks, ({ id, name, status }) => xml.item("task", name, { id, status }));
  xml.list("work", work, ({ execution, status, branch, commit, into, by, tests }) => {
    const result = tests && `${tests.status}: ${tests.passed} passed, ${tests.failed} failed`;
    xml.item("execution", undefined, { id: execution, status, branch, commit, into, by, tests: result });
  });
  xml.list("proof", Object.entries(proof), ([id, state]) => xml.item("criterion", state, { id }));
  xml.list("comments", comments, ({ by, at, text }) => xml.item("comment", text, { by, at }));
}

function writeQuestion(xml: XmlText, asked: Partial<Question>): void {
  const { id, category, blocking, question, answer } = asked;
  xml.nest("question", { id, category, blocking: blocking || undefined }, () => {
    xml.item("text", question);
    if (answer) xml.item("answer", answer);
  });
}

function withNotes({ text, notes }: Criterion): string {
  return notes ? `${text}\nNotes: ${notes}` : text;
}

function warningsOf({ hidden, isCut }: XmlText): string[] {
  return [
    ...(hidden > 0 ? [`${hidden} invisible characters are shown as escapes like \\u{200b}.`] : []),
    ...(isCut ? ["Parts were left out where marked. Call get_ticket_context for the complete ticket."] : []),
  ];
}
