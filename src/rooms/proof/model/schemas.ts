import * as z from "zod";
import type { Verification } from "../../../commons/evidence/checks.ts";
import type { CriterionProof } from "../../../commons/evidence/criterion-states.ts";
import { maxSeen } from "../../../commons/evidence/limits.ts";
import { proofPolicies } from "../../../commons/project-file.ts";
import { describeCheck } from "../service/describe-check.ts";

const line = z.string().max(10_000);

/** A ticket of 1 MiB has no more criteria, with those that were removed from it: each takes at least a character and a comma. */
export const maxCriteria = 524_288;

/** What a team demands before a ticket is completed. */
export const teamPolicy = z.object({ proof: z.enum(proofPolicies), ciOnly: z.boolean() });

export const ticketId = z
  .string()
  .max(100)
  .refine((id) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id), "must be a ticket id like T-001");
export const criterion = z.string().trim().min(1).max(40).describe("Its id: AC-1");

export function aboutTicket({ ticketId: id }: { ticketId: string }): string[] {
  return [`ticket:${id}`];
}

/** A criterion with what is known of it. */
export const criterionView = z.object({
  id: line,
  text: line,
  state: z.enum(["unproven", "proven", "failed", "waived"]),
  why: line,
  checks: z
    .array(
      z.object({
        id: line,
        check: line,
        state: z.enum(["unproven", "proven", "failed"]),
        why: line,
        base: line.optional(),
        changed: z.literal(true).optional().describe("The same work wrote or changed the check"),
        proposedBy: line.optional().describe("The assistant that bound it"),
        run: line.optional(),
        commit: line.optional(),
        reportedBy: line.optional().describe("Whose machine it ran on, if not this one"),
      }),
    )
    .max(200),
});
export type CriterionView = z.output<typeof criterionView>;

type RanHere = (seen: Pick<Verification, "by" | "machine">) => boolean;

/** Checks that the same work wrote or changed come first: a person should look at these. `ranHere`: which were not only reported. */
export function toCriterionView({ id, text, state, why, checks }: CriterionProof, ranHere: RanHere): CriterionView {
  const views = checks.map(({ check, result, seen, state: own, why: because }) => ({
    id: check.id,
    check: describeCheck(check.how),
    state: own,
    why: because,
    ...(result?.base && { base: result.base }),
    ...(result?.changed && { changed: true as const }),
    ...(check.agent !== undefined && { proposedBy: check.agent }),
    ...(result?.run !== undefined && { run: result.run }),
    ...((seen ?? check.look?.on) && { commit: (seen ?? check.look?.on)?.commit ?? "" }),
    ...(seen && !ranHere(seen) && { reportedBy: seen.ci ? "CI" : `${seen.by}'s machine` }),
  }));
  const ordered = views.toSorted((a, b) => Number(b.changed ?? false) - Number(a.changed ?? false));
  return { id, text: text.slice(0, maxSeen), state, why, checks: ordered };
}
