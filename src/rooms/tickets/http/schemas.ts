import * as z from "zod";
import { limits } from "../model/limits.ts";
import { claim } from "../model/ticket/schema-parts.ts";
import type { WorkBase } from "../model/ticket.ts";
import { priority, status, ticketId, ticketType } from "../model/ticket-fields.ts";

/** Tickets as requests and responses have them. */

const line = z.string().max(limits.line);
const date = z.string().max(40).describe("ISO 8601");

/** Documents from other programs can have anything in these fields; it is passed on unchanged. */
const usually = (usual: z.ZodType) => z.union([usual, z.unknown()]).optional();

const revision = z.number().int().min(1).describe("Goes up with every change; also the ETag");
/** Relative to the caller: one member's own text is foreign to the others. */
const authorship = {
  foreign: z
    .boolean()
    .describe("It contains, or may contain, text by others than the caller, or others have claimed it"),
  authorship: z.literal("tracked").describe("`foreign` was tracked from the ticket's creation on"),
};

/** A ticket in a response: its document, in the shape it came in, and the server's own fields. */
export const ticketResponse = z.looseObject({
  id: line,
  slug: usually(line),
  title: line,
  status,
  previousStatus: usually(status).describe("The status before it was archived"),
  type: usually(ticketType),
  priority: usually(priority),
  assignedTo: usually(line),
  createdAt: date,
  updatedAt: date,
  createdBy: usually(line),
  updatedBy: line.optional(),
  revision,
  ...authorship,
  claim: claim.optional(),
  records: z
    .record(z.string().max(limits.name), z.unknown())
    .optional()
    .describe("Comments, work, checks, verifications and waivers; set by separate requests"),
  blockedBy: z.array(line).optional().describe("Tickets that have to be done first"),
  unproven: z.literal(true).optional().describe("Completed without proof of all its criteria"),
  acceptanceCriteriaIds: z.array(z.string().max(40)).optional().describe("AC-1, AC-2, …, in the order of the criteria"),
  covered: z
    .record(z.string().max(limits.name), z.unknown())
    .optional()
    .describe("The document's own values of fields that the server uses itself; null if the document lacks one"),
});

export const summaryResponse = z.object({
  id: line,
  slug: line.optional(),
  title: line,
  status,
  type: ticketType.optional(),
  priority: priority.optional(),
  assignedTo: line.optional(),
  createdAt: date,
  updatedAt: date,
  revision,
  ...authorship,
  labels: z.array(line).optional(),
  dependsOn: z.array(line).optional(),
  unproven: z.literal(true).optional(),
  claim: claim.optional(),
});

export const pageResponse = z.object({
  tickets: z.array(summaryResponse).max(200),
  nextCursor: z.string().max(200).optional().describe("Cursor of the next page; absent on the last"),
});

export const ticketParams = z.object({ id: ticketId.describe("The ticket's id, e.g. T-001") });

export const workBase = z.strictObject({
  branch: z.string().max(limits.line).optional(),
  commit: z.string().max(64).optional(),
  changedBefore: z
    .array(z.string().max(64))
    .max(limits.changedBefore)
    .optional()
    .describe("A hash of the path and content of each file that was changed already"),
});

export function toWorkBase({ branch, commit, changedBefore }: z.output<typeof workBase>): WorkBase {
  return {
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(changedBefore !== undefined && { changedBefore }),
  };
}
