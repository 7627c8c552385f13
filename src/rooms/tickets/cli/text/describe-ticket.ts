import { sections } from "../../../../commons/cli/print/help-layout.ts";
import { localTime } from "../../../../commons/cli/print/local-time.ts";
import { hangingLines, safeLines } from "../../../../commons/cli/print/text-lines.ts";
import type { Output, Style } from "../../../../kernel/definitions/command.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { TicketRecords } from "../../model/records/schema.ts";
import { allowedMoves } from "../../model/status.ts";
import type { ProofState, TicketView } from "../../model/ticket/ticket-view.ts";
import { type StatusWords, specifiedWords } from "../status-words.ts";
import { doneLines } from "./done-lines.ts";
import { proofLines } from "./proof-lines.ts";
import { questionLines } from "./question-lines.ts";
import { staleLine } from "./stale-line.ts";
import { statusColours } from "./status-colours.ts";
import { commentLines, workLines } from "./work-lines.ts";

/** A ticket for a person to read. All text from the ticket is indented, so that nothing in it looks like a heading. */
type Task = { id: string; name: string; status: string };

export function describeTicket(
  { tasks = [], ...ticket }: TicketView & { tasks?: Task[] | undefined; proof?: ProofState[] | undefined },
  { style }: Pick<Output, "style">,
  words: Pick<StatusWords, "show"> = specifiedWords,
): string {
  // Only Forge itself writes them.
  const records = (ticket.records ?? {}) as TicketRecords;
  const { description, problemStatement, solution, apiChanges, testPlan, reviewSession, questions } = ticket;
  const asked = new Set(questions.map(({ question }) => question));
  const reviewOnly = reviewSession?.qaItems.filter(({ question }) => !asked.has(question)) ?? [];
  const review = reviewOnly.flatMap(({ question, answer }) => [
    ...hangingLines("Q", question),
    ...hangingLines("A", answer),
  ]);
  const old = staleLine(ticket, "ticket");
  return sections([
    old === undefined ? [] : [style.yellow(old)],
    [`${style.cyan(plain(ticket.id))}  ${style.bold(plain(ticket.title))}`, ...facts(ticket, style, words)],
    text("Description", description, style),
    text("Problem", problemStatement, style),
    text("Solution", solution, style),
    formatSection("Acceptance criteria", ticket.criteria.flatMap(criterionLines), style),
    formatSection("Files", ticket.fileChanges.flatMap(fileLines), style),
    text("API changes", apiChanges, style),
    text("Tests", testPlan, style),
    formatSection("Designs", ticket.designRefs.flatMap(item), style),
    formatSection("Assumptions", ticket.assumptions.flatMap(item), style),
    formatSection("In scope", ticket.inScope.flatMap(item), style),
    formatSection("Out of scope", ticket.outOfScope.flatMap(item), style),
    formatSection("Proof", proofLines(ticket, records, style), style),
    formatSection(
      "Tasks",
      tasks.map(({ id, name, status }) => `  ${plain(`${id}: ${status}, ${name}`)}`),
      style,
    ),
    formatSection("Work", workLines(records), style),
    formatSection("Comments", commentLines(records, style), style),
    formatSection("Questions", questionLines(questions, style), style),
    formatSection("Review", review, style),
    formatSection("Done", doneLines(ticket.changeRecord), style),
  ]);
}

function facts(ticket: TicketView, style: Style, words: Pick<StatusWords, "show">): string[] {
  const { status, previousStatus, claim, type, priority, assignee, slug, repository, branch, foreign } = ticket;
  const known: [string, string | undefined][] = [
    [
      "Status",
      `${style[statusColours[status]](words.show(status))}, can move to ${allowedMoves(status, previousStatus).map(words.show).join(", ")}`,
    ],
    ["Proof", ticket.unproven && style.yellow("completed without proof of all its criteria")],
    ["Blocked", ticket.blockedBy && style.yellow(`by ${plain(ticket.blockedBy.join(", "))}`)],
    ["Type", type],
    ["Priority", priority],
    ["Assignee", assignee === undefined ? "unassigned" : plain(assignee)],
    ["Claimed", claim && style.yellow(`by ${plain(claim.holder)} until ${plain(localTime(claim.until))}`)],
    ["Labels", ticket.labels.length > 0 ? plain(ticket.labels.join(", ")) : undefined],
    ["Waits for", ticket.dependsOn.length > 0 ? plain(ticket.dependsOn.join(", ")) : undefined],
    ["Slug", slug && plain(slug)],
    ["Repository", repository && plain(repository)],
    ["Branch", branch && plain(branch)],
    ["Created", when(ticket.createdAt, ticket.createdBy)],
    ["Updated", when(ticket.updatedAt, ticket.updatedBy)],
    ["Imported", ticket.imported && describeImported(ticket.imported)],
  ];
  const lines = known.flatMap(([name, value]) => (value === undefined ? [] : [`  ${`${name}:`.padEnd(12)}${value}`]));
  return foreign ? [...lines, `  ${foreignNote}`] : lines;
}

/** Nobody has verified what a file says of itself. */
function describeImported({ author, createdAt, updatedAt }: NonNullable<TicketView["imported"]>): string {
  const parts = [
    ...(author === undefined ? [] : [`author ${plain(author)}`]),
    ...(createdAt === undefined ? [] : [`created ${plain(localTime(createdAt))}`]),
    ...(updatedAt === undefined ? [] : [`updated ${plain(localTime(updatedAt))}`]),
  ];
  return `${parts.join(", ")} (according to the file)`;
}

const foreignNote =
  "Contains text by others: assistants may only change what this ticket lists, unless you approve more.";

function when(at: string, by: string | undefined): string {
  return plain(by === undefined ? localTime(at) : `${localTime(at)} by ${by}`);
}

function text(title: string, value: string | undefined, style: Style): string[] {
  return formatSection(title, value === undefined ? [] : safeLines(value).map((line) => `  ${line}`.trimEnd()), style);
}

function formatSection(title: string, lines: string[], style: Style): string[] {
  return lines.length === 0 ? [] : [style.bold(`${title}:`), ...lines];
}

function item(value: string): string[] {
  return hangingLines("-", value);
}

type Criterion = TicketView["criteria"][number];

/** The sentence is often made of the parts; those are shown only if they say something else. */
function criterionLines({ id, text: sentence, given, when, then, notes }: Criterion): string[] {
  const isMadeOfParts = [given, when, then].every((part) => part === undefined || sentence.includes(part.trim()));
  const parts = Object.entries({ ...(!isMadeOfParts && { Given: given, When: when, Then: then }), Notes: notes });
  const more = parts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return hangingLines(id, [sentence, ...more].join("\n"));
}

function fileLines({ action, path, notes, layer }: TicketView["fileChanges"][number]): string[] {
  const place = layer === undefined ? plain(path) : `${plain(path)} (${plain(layer)})`;
  return hangingLines(action.padEnd(6), [place, ...(notes === undefined ? [] : [notes])].join("\n"));
}
