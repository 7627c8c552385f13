import * as z from "zod";
import {
  type Check,
  type DroppedCriterion,
  lookedAt,
  newCheck,
  newVerification,
  newWaiver,
  type Stamp,
  type Verification,
  type Waiver,
} from "../../../../commons/evidence/checks.ts";
import { limits } from "../limits.ts";

/**
 * What Forge keeps beside a ticket's own text: comments, the work that was done on it, and what proves its criteria. No import
 * and no edit of the text can set it.
 */

const id = z.string().min(1).max(100);
const line = z.string().max(limits.name * 5);
const commit = z.string().regex(/^[0-9a-f]{7,64}$/);
const path = z.string().min(1).max(limits.path);
const count = z.number().int().min(0);

const maxWorkFiles = 200;

const work = z.strictObject({
  execution: id,
  task: line.optional().describe("BLOCK/TASK, if it was the work of a task"),
  status: z.enum(["started", "merged", "committed", "cancelled"]),
  branch: line.optional(),
  base: commit.optional().describe("The commit it started from"),
  commit: commit.optional(),
  into: line.optional().describe("The branch it was merged into"),
  files: z.array(path).max(maxWorkFiles).optional(),
  tests: z.strictObject({ run: id, status: z.enum(["passed", "failed"]), passed: count, failed: count }).optional(),
});
export type Work = z.output<typeof work>;

/** One thing to add to a ticket's records. */
export const recordEntry = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("comment"), text: z.string().trim().min(1).max(limits.line) }),
  z.strictObject({ kind: z.literal("work"), work }),
  z.strictObject({ kind: z.literal("check"), check: newCheck }),
  z.strictObject({ kind: z.literal("unbind"), check: id }),
  z.strictObject({
    kind: z.literal("look"),
    check: id,
    passed: z.boolean(),
    saw: z.string().trim().min(3).max(1_000),
    on: lookedAt.optional(),
  }),
  z.strictObject({ kind: z.literal("verification"), verification: newVerification }),
  z.strictObject({ kind: z.literal("waiver"), waiver: newWaiver }),
]);
export type RecordEntry = z.output<typeof recordEntry>;

type Comment = Stamp & { id: string; text: string };
export type WorkRecord = Work & Stamp & { agent?: string; endedAt?: string };

export type TicketRecords = {
  comments?: Comment[];
  work?: WorkRecord[];
  checks?: Check[];
  /** The number of the newest check, which may have been removed since. */
  lastCheck?: number;
  verifications?: Verification[];
  waivers?: Waiver[];
  dropped?: DroppedCriterion[];
  /** Criteria, by id, that a person wrote or was the last to edit. */
  agreed?: string[];
  /** The commit where work started first, which proof is compared with. */
  base?: string;
  /** Work had started before the ticket went back to a status in which its criteria are written. */
  hasStarted?: true;
};
