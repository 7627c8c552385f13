import * as z from "zod";
import { fileActions } from "../model/limits.ts";
import { date, imported, line, list, question, text, texts } from "../model/ticket/schema-parts.ts";
import { shownFacts } from "./summary-schema.ts";

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

/** A ticket as an assistant reads it. */
export const ticketContext = z.object({
  ...shownFacts,
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
