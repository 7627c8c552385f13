import type { BaseOutcome, CheckResult, Verification } from "../../../commons/evidence/checks.ts";
import type { Ran } from "./check-runner.ts";

/** What a check showed without the change. */
function toBaseOutcome({ outcome, isUncollected, isError }: Ran): BaseOutcome {
  if (outcome === "passed" || outcome === "unknown_origin") return "passed";
  if (isUncollected) return "not_collected";
  if (outcome === "not_found" || outcome === "ambiguous") return "not_found";
  return isError || outcome === "error" ? "error" : "failed";
}

const baseWords: Record<BaseOutcome, string> = {
  passed: "passes without the change, too",
  failed: "fails without the change",
  error: "ends with an error without the change",
  not_collected: "cannot be loaded without the change (weak: it shows only that something new is used)",
  not_found: "is not found without the change (weak: it shows only that something is new)",
};

/** What the base showed, and how it failed there. Without an outcome it showed nothing, and why. */
export type KnownBase = { outcome: BaseOutcome | undefined; why: string | undefined };

export function toKnownBase(ran: Ran): KnownBase {
  if (ran.isVoid) return { outcome: undefined, why: ran.why };
  const outcome = toBaseOutcome(ran);
  const isExplained = outcome === "failed" || outcome === "error";
  return { outcome, why: isExplained ? ran.why.replace(/^Failed: /, "") : undefined };
}

export function describeResult(ran: Ran, base: KnownBase | undefined): string {
  if (ran.outcome !== "passed" || base?.outcome === undefined) return ran.why;
  const detail = base.why === undefined ? "" : `: ${base.why}`;
  return `${ran.why} It ${baseWords[base.outcome]}${detail}`.slice(0, 1_000);
}

/**
 * A result that rests on something that is not in the commit: what passed proves nothing, and what the base showed is not kept, so
 * that no later verification relies on it.
 */
export function discountResult(result: CheckResult, doubt: string): CheckResult {
  const { base: _, baseWhy: __, ...rest } = result;
  if (result.outcome !== "passed") return rest;
  return { ...rest, outcome: "unknown_origin", why: `It passed, but ${doubt}`.slice(0, 1_000) };
}

/** What the work has made part of the result that is not in its commit, or hides what is installed. */
type Outside = {
  links?: readonly string[];
  packages?: readonly string[];
  imports?: readonly { file: string; from: string }[];
  /** By attributes that the work changed. */
  converted?: readonly string[];
};

/** Why results are not of the commit alone, as the end of a sentence: packages that somebody has changed, code from elsewhere. */
export function describeDoubt(
  altered: readonly string[],
  { links = [], packages = [], imports = [], converted = [] }: Outside,
): string | undefined {
  if (altered.length > 0) {
    const files = `${altered.join(", ")} ${altered.length === 1 ? "was" : "were"}`;
    return `${files} changed after the packages were installed. Install them again and verify.`;
  }
  const [link, committed, imported, other] = [links[0], packages[0], imports[0], converted[0]];
  if (other !== undefined)
    return `by a .gitattributes that the work changed, ${other} is not checked out as it is in the commit.`;
  if (link !== undefined) {
    const others = links.length === 1 ? "is a link that leads" : `and ${links.length - 1} more are links that lead`;
    return `${link} ${others} out of the work tree, so what was checked is not in the commit.`;
  }
  if (committed !== undefined) {
    const others = packages.length === 1 ? "is" : `and ${packages.length - 1} more are`;
    return `${committed} ${others} in a folder for installed packages and part of the work. Take that out of the commit and verify.`;
  }
  if (imported === undefined) return undefined;
  return `${imported.file} loads ${imported.from}, which is outside the work tree, so what was checked is not in the commit.`;
}

/**
 * Base results of earlier verifications that still hold: same base, same check, same test file. An error of a command may have had
 * causes outside the tree, and so may anything if the check did not pass with the change either; those are run again.
 */
export function findKnownBases(
  base: string | undefined,
  earlier: readonly Verification[] | undefined,
  own: ReadonlyMap<string, string>,
): Map<string, KnownBase> {
  const known = new Map<string, KnownBase>();
  for (const { base: its, results } of earlier ?? [])
    for (const { check, outcome: onHead, base: outcome, baseWhy: why, own: file } of results)
      if (onHead === "passed" && base !== undefined && its === base && outcome !== undefined && file === own.get(check))
        if (file !== undefined || outcome !== "error") known.set(check, { outcome, why });
  return known;
}
