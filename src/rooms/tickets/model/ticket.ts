import * as z from "zod";
import { visible } from "../../../kernel/visible.ts";
import { fileActions, idPattern, limits, priorities, questionCategories, ticketTypes } from "./limits.ts";
import type { claim, question } from "./schema-parts.ts";
import { statuses } from "./status.ts";

export const ticketId = z
  .string()
  .min(1)
  .max(100)
  .regex(idPattern, "must be a ticket's id, like T-001: letters, digits, _ and - only")
  .describe("The ticket's id, e.g. T-001");

/** PostgreSQL keeps no such text. */
const withoutNul = (given: string) => !given.includes("\0");
const noNul = "must not contain the character NUL";

const title = z.string().trim().min(3).max(limits.title).refine(withoutNul, noNul);
const text = z.string().max(limits.text);
const line = z.string().max(limits.line);
const lines = z.array(line).max(limits.items);
const name = z.string().trim().min(1).max(limits.name).refine(withoutNul, noNul);
/** What a list is narrowed by. */
export const searched = z.string().max(limits.name).refine(withoutNul, noNul);

export const status = z.enum(statuses);
export const priority = z.enum(priorities);
export const ticketType = z.enum(ticketTypes);

/** Relative, and never upwards; with no character that a name can hide behind. */
function isInside(path: string): boolean {
  const parts = path.split(/[/\\]/);
  return !/^[/\\]|^[A-Za-z]:/.test(path) && !parts.includes("..") && visible(path) === path;
}

export const fileChange = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(limits.path)
    .refine(isInside, "must be a path inside the repository, relative to its root")
    .describe("Relative to the repository's root"),
  action: z.enum(fileActions),
  notes: text.optional(),
});
export type FileChange = z.output<typeof fileChange>;

/** What a ticket's author writes; everything but the title may come later. */
export const ticketDraft = z.object({
  title: title.describe("What will be different, in one line"),
  description: text.optional(),
  type: ticketType.optional(),
  priority: priority.optional(),
  problemStatement: text.optional().describe("What is wrong or missing today, and for whom"),
  solution: text.optional().describe("How it will be solved, in steps where there are any"),
  acceptanceCriteria: lines.optional().describe("What must be true when it is done, one checkable sentence each"),
  fileChanges: z.array(fileChange).max(limits.items).optional().describe("Files the work may touch"),
  apiChanges: text.optional(),
  testPlan: text.optional(),
  designRefs: lines.optional().describe("Links to designs"),
  assumptions: lines.optional(),
  inScope: lines.optional(),
  outOfScope: lines.optional(),
  assignee: name.optional(),
});
export type TicketDraft = z.output<typeof ticketDraft>;

/** Fields to change; what is not named stays. An empty text, an empty list, or null for the assignee clears one. */
export const ticketChanges = ticketDraft.partial().extend({ assignee: name.nullable().optional() });
export type TicketChanges = z.output<typeof ticketChanges>;

export type Criterion = {
  /** `AC-1`; stays with the criterion when others come and go. */
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
  blocking: z.boolean().optional().describe("True where work cannot start before the answer"),
});
export type NewQuestion = z.output<typeof newQuestion>;

export type Question = z.output<typeof question>;

/** What is handed in when the work is done. */
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
});
export type ChangeRecord = z.output<typeof changeRecord>;

/** A ticket in the shape it came in, whatever generation; {@link import("../reading/read-content.ts")} makes sense of it. */
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
  questions: Question[];
  reviewSession?: { qaItems: { question: string; answer: string }[]; submittedAt?: string };
  changeRecord?: Record<string, unknown>;
  repository?: string;
  branch?: string;
};

/** What the store keeps beside a ticket's document. */
export type TicketFacts = {
  id: string;
  slug?: string;
  title: string;
  status: (typeof statuses)[number];
  /** What an archived ticket was before. */
  previousStatus?: (typeof statuses)[number];
  type?: (typeof ticketTypes)[number];
  priority?: (typeof priorities)[number];
  assignee?: string;
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
  createdBy?: string;
  updatedBy?: string;
  /** Counts up with every change. */
  revision: number;
  /** Others than the person wrote in it: whoever reads it may no longer be acting for them. */
  foreign: boolean;
  /** The user whose words alone it holds; kept on a team's server, and known there only. */
  soleAuthor?: string;
};

/** A ticket as everything in Forge sees it. */
export type Ticket = TicketFacts & TicketContent & { document: TicketDocument; claim?: TicketClaim } & Staleness;

type Staleness = {
  /** When a server last said so, where it cannot be reached now: it may be otherwise there. ISO 8601. */
  stale?: string;
  /** It was not asked just this then: of a list, tickets may be missing; of a ticket, all but what a list shows of it. */
  incomplete?: true;
};

export type TicketSummary = Omit<TicketFacts, "createdBy" | "updatedBy" | "previousStatus"> & { claim?: TicketClaim };

export type TicketClaim = z.output<typeof claim>;

export const ticketFilter = z.object({
  status: z.array(status).min(1).max(statuses.length).optional(),
  assignee: searched.optional(),
  priority: priority.optional(),
  type: ticketType.optional(),
  text: z.string().max(limits.line).optional(),
  limit: z.number().int().min(1).max(200).optional(),
  cursor: z.string().max(200).optional(),
});
export type TicketFilter = z.output<typeof ticketFilter>;

export type TicketPage = { tickets: TicketSummary[]; nextCursor?: string } & Staleness;

/** One thing that happened to a ticket. */
export type HistoryEntry = {
  at: string;
  /** Who, and the assistant that spoke for them. */
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
    | "completed";
  /** From and to of a status, names and former values of changed fields, ids of questions. */
  details: Record<string, unknown>;
};
