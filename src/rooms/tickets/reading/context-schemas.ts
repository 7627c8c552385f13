import * as z from "zod";
import { fileActions, limits } from "../model/limits.ts";
import { claim, date, imported, line, question, text } from "../model/ticket/schema-parts.ts";
import { priority, status, ticketType } from "../model/ticket-fields.ts";

/** An item takes at least one character and a comma. */
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(limits.ticket / 2);
const texts = list(text);
const count = z.number().int().min(0);

const shownFileChange = z.object({
  path: line,
  action: z.enum(fileActions),
  notes: text.optional(),
  layer: text.optional(),
});

const shownChangeRecord = z.object({
  executionSummary: text.optional(),
  filesChanged: list(z.object({ path: text, additions: count, deletions: count })).optional(),
  divergences: list(z.object({ area: text, intended: text, actual: text, justification: text })).optional(),
  branch: text.optional(),
  commit: text.optional(),
  status: text.optional(),
  reviewNote: text.optional(),
  reviewedAt: date.optional(),
  submittedAt: date.optional(),
});

const shownWork = z.object({
  execution: line,
  task: line.optional(),
  status: line,
  by: line,
  agent: line.optional(),
  at: date,
  endedAt: date.optional(),
  branch: line.optional(),
  base: line.optional(),
  commit: line.optional(),
  into: line.optional(),
  tests: z.object({ run: line, status: line, passed: count, failed: count }).optional(),
});

const facts = {
  id: line,
  slug: line.optional(),
  title: line,
  status,
  type: ticketType.optional(),
  priority: priority.optional(),
  assignee: line.optional(),
  createdAt: date,
  updatedAt: date,
  revision: count.describe("Goes up with every change"),
  claim: claim.optional(),
};

/** A ticket in a list. */
export const ticketSummary = z.object({
  ...facts,
  foreign: z.boolean().describe("Contains text by others than the user"),
  labels: texts.optional(),
  unproven: z.literal(true).optional().describe("Completed without proof"),
});

/** A ticket as an assistant reads it. */
export const ticketContext = z.object({
  ...facts,
  assignedTo: line.optional().describe("Same as assignee"),
  description: text.optional(),
  problemStatement: text.optional(),
  solution: text.optional(),
  acceptanceCriteria: texts,
  acceptanceCriteriaIds: list(z.string().max(40)).optional().describe("AC-1, AC-2, …, in the order of the criteria"),
  acceptanceCriteriaNotes: z.record(z.string().max(40), text).optional().describe("Notes on a criterion, by its id"),
  fileChanges: list(shownFileChange),
  apiChanges: text.optional(),
  testPlan: text.optional(),
  designRefs: texts.optional(),
  assumptions: texts.optional(),
  inScope: texts.optional(),
  outOfScope: texts.optional(),
  questions: list(question).optional(),
  reviewSession: z
    .object({ qaItems: list(z.object({ question: text, answer: text })), submittedAt: date.optional() })
    .optional(),
  changeRecord: shownChangeRecord.optional().describe("What was done"),
  implementationBranch: text.optional(),
  repository: text.optional(),
  imported: imported.optional().describe("What the imported file said; not verified"),
  labels: texts.optional(),
  dependsOn: texts.optional(),
  blockedBy: texts.optional().describe("Tickets that have to be done first"),
  unproven: z.literal(true).optional().describe("Completed without proof of all its criteria"),
  tasks: list(z.object({ id: line, name: line, status: line })).optional(),
  work: list(shownWork).optional().describe("Its executions, latest last"),
  workOmitted: count.optional().describe("Earlier executions"),
  proof: z.record(z.string().max(40), text).optional().describe("By criterion"),
  comments: list(z.object({ id: line, by: line, at: date, text })).optional(),
  stale: date.optional().describe("The server cannot be reached; this is the copy of that time"),
  warnings: z.array(line).max(10).optional(),
});

export type TicketContext = z.output<typeof ticketContext>;
