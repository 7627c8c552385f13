import * as z from "zod";
import { visible } from "../../../kernel/text/visible.ts";
import { fileActions, labelPattern, limits, type priorities, questionCategories, type ticketTypes } from "./limits.ts";
import type { TicketRecords } from "./records/schema.ts";
import type { statuses } from "./status.ts";
import type { claim, question } from "./ticket/schema-parts.ts";
import { noNul, priority, ticketId, ticketType, withoutNul } from "./ticket-fields.ts";

/** Accepted, but not shown to assistants: every input in a list costs tokens, and these are rarely needed. */
const rare = { unadvertised: true };

const title = z.string().trim().min(3).max(limits.title).refine(withoutNul, noNul);
const text = z.string().max(limits.text);
const line = z.string().max(limits.line);
const lines = z.array(line).max(limits.items);
const name = z.string().trim().min(1).max(limits.name).refine(withoutNul, noNul);
const label = z
  .string()
  .trim()
  .min(1)
  .max(limits.label)
  .regex(labelPattern, "must be one word without quotes or commas");

/** Relative, without `..`, and without characters that could hide a part of the name. */
function isInside(path: string): boolean {
  const parts = path.split(/[/\\]/);
  return !/^[/\\]|^[A-Za-z]:/.test(path) && !parts.includes("..") && visible(path) === path;
}

export const fileChange = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(limits.path)
    .refine(isInside, "must be a path inside the repository, relative to its root"),
  action: z.enum(fileActions),
  notes: text.optional().meta(rare),
});
export type FileChange = z.output<typeof fileChange>;

/** What a ticket's author writes; everything but the title can be added later. */
export const ticketDraft = z.object({
  title,
  description: text.optional(),
  type: ticketType.optional().meta(rare),
  priority: priority.optional(),
  problemStatement: text.optional(),
  solution: text.optional(),
  acceptanceCriteria: lines.optional().describe("One checkable sentence each"),
  fileChanges: z.array(fileChange).max(limits.items).optional(),
  apiChanges: text.optional().meta(rare),
  testPlan: text.optional().meta(rare),
  designRefs: lines.optional().describe("Links to designs").meta(rare),
  assumptions: lines.optional().meta(rare),
  inScope: lines.optional().meta(rare),
  outOfScope: lines.optional().meta(rare),
  assignee: name.optional(),
  labels: z.array(label).max(limits.labels).optional().meta(rare),
  dependsOn: z.array(ticketId).max(limits.labels).optional().meta(rare),
});
export type TicketDraft = z.output<typeof ticketDraft>;

/** Fields to change; the others stay. An empty text, an empty list, or null as the assignee clears a field. */
export const ticketChanges = ticketDraft.partial().extend({
  problemStatement: text.optional().meta(rare),
  assignee: name.nullable().optional(),
});
export type TicketChanges = z.output<typeof ticketChanges>;

export type Criterion = {
  /** `AC-1`; stays with the criterion when others are added or removed. */
  id: string;
  text: string;
  given?: string;
  when?: string;
  then?: string;
  notes?: string;
};

export const newQuestion = z.strictObject({
  question: z.string().trim().min(3).max(limits.line),
  category: z.enum(questionCategories).optional(),
  blocking: z.boolean().optional().describe("Work waits for the answer"),
  answer: z.string().trim().min(1).max(limits.text).optional().describe("The user's answer, if any"),
});
export type NewQuestion = z.output<typeof newQuestion>;

export type Question = z.output<typeof question>;

/** What is recorded when the work is done. */
export const changeRecord = z.object({
  executionSummary: z.string().max(10_000).optional(),
  filesChanged: z
    .array(
      z.object({
        path: z.string().min(1).max(limits.path),
        additions: z.number().int().min(0),
        deletions: z.number().int().min(0),
      }),
    )
    .max(500),
  divergences: z
    .array(z.object({ area: line, intended: line, actual: line, justification: line }))
    .max(50)
    .optional(),
  branch: z.string().max(limits.line).optional(),
  commit: z.string().max(64).optional(),
  base: z.string().max(64).optional().describe("The commit that the changed files are compared with"),
  proof: z
    .enum(["off", "proven", "unproven"])
    .optional()
    .describe("What the project's policy found; default: unproven"),
});
export type ChangeRecord = z.output<typeof changeRecord>;

/** A ticket in the shape it came in, current or legacy; {@link import("../reading/read-content.ts")} interprets it. */
export type TicketDocument = Record<string, unknown>;

/** What a document says, in one shape. */
export type TicketContent = {
  description?: string;
  problemStatement?: string;
  solution?: string;
  criteria: Criterion[];
  fileChanges: (FileChange & { layer?: string })[];
  apiChanges?: string;
  testPlan?: string;
  designRefs: string[];
  assumptions: string[];
  inScope: string[];
  outOfScope: string[];
  labels: string[];
  /** Ids of tickets that have to be done first. */
  dependsOn: string[];
  questions: Question[];
  reviewSession?: { qaItems: { question: string; answer: string }[]; submittedAt?: string };
  changeRecord?: Record<string, unknown>;
  repository?: string;
  branch?: string;
  /** What the file that it was imported from said of it. */
  imported?: { author?: string; createdAt?: string; updatedAt?: string };
};

/** What the store keeps beside a ticket's document. */
export type TicketFacts = {
  id: string;
  slug?: string;
  title: string;
  status: (typeof statuses)[number];
  /** The status of an archived ticket before it was archived. */
  previousStatus?: (typeof statuses)[number];
  type?: (typeof ticketTypes)[number];
  priority?: (typeof priorities)[number];
  assignee?: string;
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
  createdBy?: string;
  updatedBy?: string;
  /** Goes up with every change. */
  revision: number;
  /** It contains text by others than the user: an assistant that reads it may be following their words. */
  foreign: boolean;
  /** The id of the only author; kept and known on a team's server only. */
  soleAuthor?: string;
  /** It was completed although not all of its criteria were proven. */
  unproven?: true;
};

/** A ticket as everything in Forge sees it. */
export type Ticket = TicketFacts &
  TicketContent & {
    document: TicketDocument;
    records?: TicketRecords;
    blockedBy?: string[];
    claim?: TicketClaim;
  } & Staleness;

type Staleness = {
  /** When this copy was read, if the server cannot be reached now; it may have changed there since. ISO 8601. */
  stale?: string;
  /** It was put together from other answers: a list may lack tickets, a ticket all that a list does not show. */
  incomplete?: true;
};

export type TicketSummary = Omit<TicketFacts, "createdBy" | "updatedBy" | "previousStatus"> & {
  labels?: string[];
  dependsOn?: string[];
  claim?: TicketClaim;
};

export type TicketClaim = z.output<typeof claim>;

export type TicketPage = { tickets: TicketSummary[]; nextCursor?: string } & Staleness;

/** Where in the repository work started; empty outside a repository. */
export type WorkBase = {
  branch?: string;
  /** Absent before the first commit. */
  commit?: string;
  /** A mark of each file that differed from the commit already, as long as its content is the same; without its name. */
  changedBefore?: string[];
};

/** One event in the history of a ticket. */
export type HistoryEntry = {
  at: string;
  /** The user, and the assistant that acted for them. */
  by: string;
  agent?: string;
  kind:
    | "created"
    | "imported"
    | "status"
    | "updated"
    | "assigned"
    | "started"
    | "claimed"
    | "released"
    | "questions"
    | "answers"
    | "dismissed"
    | "completed"
    | "corrected"
    | "comment"
    | "work"
    | "check"
    | "look"
    | "verified"
    | "waived";
  /** From and to of a status, names and former values of changed fields, ids of questions. */
  details: Record<string, unknown>;
};
