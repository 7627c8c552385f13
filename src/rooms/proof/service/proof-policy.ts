import type { CriterionProof } from "../../../commons/evidence/criterion-states.ts";
import type { ProofPolicy } from "../../../commons/project-file.ts";
import { notProven } from "../model/errors.ts";

/** What a project's policy makes of a ticket that is to be completed; throws where it requires proof that is missing. */
export function judgeCompletion(
  id: string,
  policy: ProofPolicy,
  states: readonly CriterionProof[],
  ciOnly = false,
): { proof: ProofPolicyVerdict; missing: string[] } {
  const missing = states
    .filter(({ state }) => state !== "proven" && state !== "waived")
    .map((criterion) => `${criterion.id} is ${criterion.state}: ${criterion.why}`);
  if (policy === "off") return { proof: "off", missing: [] };
  const none = policy === "required" && states.length === 0 ? [`${id} has no acceptance criteria to prove.`] : [];
  const lacking = [...missing, ...none];
  if (lacking.length === 0) return { proof: "proven", missing: [] };
  if (policy === "required") throw notProven(id, lacking, ciOnly);
  return { proof: "unproven", missing };
}

export type ProofPolicyVerdict = "off" | "proven" | "unproven";
