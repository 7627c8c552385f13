import * as z from "zod";
import { fileActions } from "../limits.ts";
import { priority, status, ticketType } from "../ticket-fields.ts";
import { claim, date, imported, line, list, question, text, texts } from "./schema-parts.ts";

/** A ticket as commands print it: everything but the document it came in. */

const historyEntry = z.object({
  at: date,
  by: line,
  agent: line.optional(),
  kind: line,
  details: z.record(line, z.unknown()),
});

export const ticketView = z.object({
  id: line,
  slug: line.optional(),
  title: line,
  status,
  previousStatus: status.optional(),
  type: ticketType.optional(),
  priority: priority.optional(),
  assignee: line.optional(),
  createdAt: date,
  updatedAt: date,
  createdBy: line.optional(),
  updatedBy: line.optional(),
  revision: z.number(),
  foreign: z.boolean(),
  soleAuthor: line.optional(),
  description: text.optional(),
  problemStatement: text.optional(),
  solution: text.optional(),
  criteria: list(
    z.object({
      id: line,
      text,
      given: text.optional(),
      when: text.optional(),
      then: text.optional(),
      notes: text.optional(),
    }),
  ),
  fileChanges: list(
    z.object({ path: line, action: z.enum(fileActions), notes: text.optional(), layer: text.optional() }),
  ),
  apiChanges: text.optional(),
  testPlan: text.optional(),
  designRefs: texts,
  assumptions: texts,
  inScope: texts,
  outOfScope: texts,
  questions: list(question),
  reviewSession: z
    .object({ qaItems: list(z.object({ question: text, answer: text })), submittedAt: date.optional() })
    .optional(),
  changeRecord: z.record(line, z.unknown()).optional(),
  repository: text.optional(),
  branch: text.optional(),
  imported: imported.optional(),
  claim: claim.optional(),
  labels: texts,
  dependsOn: texts,
  blockedBy: texts.optional(),
  unproven: z.literal(true).optional(),
  records: z.record(line, z.unknown()).optional(),
  stale: date.optional(),
  incomplete: z.literal(true).optional(),
});

/** What is proven of a criterion; `commit` is where its first check was last run. */
const proofState = z.object({
  id: line,
  state: z.enum(["unproven", "proven", "failed", "waived"]),
  why: line,
  commit: line.optional(),
});
export type ProofState = z.output<typeof proofState>;

export const ticketViewWithHistory = ticketView.extend({
  proof: list(proofState).optional(),
  history: list(historyEntry).optional(),
  tasks: list(z.object({ id: line, name: line, status: line })).optional(),
});

export type TicketView = z.output<typeof ticketView>;
export type HistoryView = z.output<typeof historyEntry>;
