import type { Check, CheckResult, DroppedCriterion, Verification, Waiver } from "./checks.ts";

const maxQuoted = 500;

export type CriterionState = "unproven" | "proven" | "failed" | "waived";

/** What a check showed last, and whether that proves its criterion. */
type CheckState = {
  check: Check;
  result?: CheckResult;
  /** Where and when that was. */
  seen?: Pick<Verification, "id" | "commit" | "tree" | "at" | "by" | "agent" | "machine" | "ci">;
  state: "unproven" | "proven" | "failed";
  why: string;
};

export type CriterionProof = { id: string; text: string; state: CriterionState; why: string; checks: CheckState[] };

type Evidence = {
  checks?: readonly Check[] | undefined;
  verifications?: readonly Verification[] | undefined;
  waivers?: readonly Waiver[] | undefined;
  dropped?: readonly DroppedCriterion[] | undefined;
};

/** A criterion as it is written: some have parts beside their text. */
type WrittenCriterion = { id: string; text: string } & { [part in (typeof parts)[number]]?: string | undefined };
const parts = ["given", "when", "then", "notes"] as const;

/** All that a criterion says: its text, and the parts that are not in it. */
export function sayCriterion({ text, ...criterion }: Omit<WrittenCriterion, "id">): string {
  const beside = parts.flatMap((part) => {
    const said = criterion[part]?.trim();
    return said === undefined || text.includes(said) ? [] : [`${part} ${said}`];
  });
  return beside.length === 0 ? text : `${text} (${beside.join(", ")})`;
}

/**
 * The state of each criterion as its records show it; those that were removed without a person's agreement are still among them.
 * Whether files have changed since is not known here.
 */
export function readCriterionStates(
  criteria: readonly WrittenCriterion[],
  { checks = [], verifications: all = [], waivers = [], dropped = [] }: Evidence,
  { now = Date.now(), ciOnly = false }: { now?: number; ciOnly?: boolean } = {},
): CriterionProof[] {
  const verifications = ciOnly ? all.filter(({ ci }) => ci) : all;
  const ids = new Set(criteria.map(({ id }) => id));
  const removed = dropped.filter(({ criterion }) => !ids.has(criterion));
  const written: WrittenCriterion[] = [...criteria, ...removed.map(({ criterion: id, text }) => ({ id, text }))];
  return written.map(({ id, ...criterion }) => {
    const { text } = criterion;
    const said = sayCriterion(criterion);
    const states = checks.filter(({ criterion }) => criterion === id).map((check) => readCheck(check, verifications));
    const change = dropped.find((one) => one.criterion === id && (!ids.has(id) || one.text !== said));
    const waiver = waivers.find(
      (one) => one.criterion === id && Date.parse(one.until) > now && isFor(one, said, change),
    );
    return { id, text, ...judge(states, waiver, change && describeDrop(change, ids.has(id))), checks: states };
  });
}

/** A waiver is for the text that the person saw, and for no other that is put in its place or back. */
function isFor({ text, at }: Waiver, said: string, change: DroppedCriterion | undefined): boolean {
  return text === undefined ? change === undefined || at >= change.at : text === said;
}

function describeDrop({ by, at, text }: DroppedCriterion, isReworded: boolean): string {
  const when = `by ${by} on ${at.slice(0, 10)}; no person has agreed`;
  return isReworded ? `Reworded ${when}. It was: ${text.slice(0, maxQuoted)}` : `Removed ${when}.`;
}

function judge(
  states: readonly CheckState[],
  waiver: Waiver | undefined,
  dropped: string | undefined,
): Pick<CriterionProof, "state" | "why"> {
  if (waiver)
    return { state: "waived", why: `Waived by ${waiver.by} until ${waiver.until.slice(0, 10)}: ${waiver.reason}` };
  if (dropped !== undefined) return { state: "unproven", why: dropped };
  if (states.length === 0) return { state: "unproven", why: "No check is bound to it." };
  const first =
    states.find(({ state }) => state === "failed") ?? states.find(({ state }) => state === "unproven") ?? states[0];
  return { state: first?.state ?? "unproven", why: first?.why ?? "" };
}

function readCheck(check: Check, verifications: readonly Verification[]): CheckState {
  if (check.how.type === "look") return readLook(check);
  const seen = verifications.findLast(({ results }) => results.some((result) => result.check === check.id));
  const result = seen?.results.find((one) => one.check === check.id);
  if (!seen || !result) return { check, state: "unproven", why: "It has not been run." };
  const { results: _, base: __, clean: ___, ...place } = seen;
  return { check, result, seen: place, ...judgeResult(check, result, isFlaky(check, seen.tree, verifications)) };
}

function readLook(check: Check): CheckState {
  const { look } = check;
  if (!look) return { check, state: "unproven", why: "Nobody has looked yet." };
  const why = `${look.by} looked on ${look.at.slice(0, 10)}: ${look.saw}`;
  return { check, state: look.passed ? "proven" : "failed", why };
}

function judgeResult(check: Check, result: CheckResult, flaky: boolean): Pick<CheckState, "state" | "why"> {
  if (flaky) return { state: "unproven", why: "Flaky: it both passed and failed on this tree." };
  const { outcome, base, weakened, why } = result;
  if (outcome === "failed" || outcome === "error") return { state: "failed", why };
  if (outcome !== "passed") return { state: "unproven", why };
  if (weakened) return { state: "unproven", why: "The same work changed the check; as it was before, it fails." };
  if (check.expectGreen || result.expectGreen) return { state: "proven", why };
  if (base === undefined) return { state: "unproven", why: describeMissingBase(result) };
  if (base === "passed") return { state: "unproven", why: "It also passes without the change, so it proves nothing." };
  return { state: "proven", why };
}

function describeMissingBase({ baseWhy }: CheckResult): string {
  if (baseWhy === undefined) return "It was not run without the change.";
  return `It had no result without the change, so it proves nothing: ${baseWhy}`;
}

/** Both outcomes on one tree. */
function isFlaky({ id }: Check, tree: string, verifications: readonly Verification[]): boolean {
  const outcomes = verifications
    .filter((verification) => verification.tree === tree)
    .flatMap(({ results }) => results.filter(({ check }) => check === id))
    .map(({ outcome }) => outcome);
  return outcomes.includes("passed") && outcomes.includes("failed");
}
