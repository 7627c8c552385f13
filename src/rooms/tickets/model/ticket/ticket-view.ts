import * as z from "zod";
import type { CriterionProof } from "../../../../commons/evidence/criterion-states.ts";
import { fileActions, limits } from "../limits.ts";
import type { Ticket } from "../ticket.ts";
import { priority, status, ticketType } from "../ticket-fields.ts";
import { claim, date, imported, line, question, text } from "./schema-parts.ts";

/** A ticket as commands print it: everything but the document it came in. */

/** An item takes at least one character and a comma. */
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(limits.ticket / 2);
const texts = list(text);

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

export function toCriterionState({ id, state, why, checks: [first] }: CriterionProof): ProofState {
  return { id, state, why, ...(first?.seen && { commit: first.seen.commit }) };
}

export const ticketViewWithHistory = ticketView.extend({
  proof: list(proofState).optional(),
  history: list(historyEntry).optional(),
  tasks: list(z.object({ id: line, name: line, status: line })).optional(),
});

export type TicketView = z.output<typeof ticketView>;
export type HistoryView = z.output<typeof historyEntry>;

export function toView({ document: _, ...view }: Ticket): Omit<Ticket, "document"> {
  return view;
}
