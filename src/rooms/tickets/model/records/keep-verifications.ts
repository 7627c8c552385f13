import type { CheckResult, Verification } from "../../../../commons/evidence/checks.ts";

/** Of each check: how many results of one source, of how many sources beside CI, and how many trees that it failed on. */
const maxResults = 2;
const maxSources = 8;
export const maxFailedTrees = 20;
const maxWithRules = 5;
const maxWhy = 200;

type Kept = { results: number; failedOn: Set<string> };

/**
 * What the judgement needs of all verifications, oldest first: the latest results of each check, and the trees on which it
 * failed, so that a check that failed stays flaky when it passes later. Each source has places of its own, so that one that
 * reports much drops no results of another.
 */
export function keepVerifications(all: readonly Verification[], checks: ReadonlySet<string>): Verification[] {
  const kept = new Map<string, Map<string, Kept>>();
  const newestFirst = all.toReversed().flatMap((verification, index) => {
    const { rules, ...others } = verification;
    const results = verification.results.flatMap((result) => {
      const of = checks.has(result.check) ? placesFor(kept, result.check, verification) : undefined;
      return of ? keepResult(of, result, verification.tree) : [];
    });
    const isWhole = rules !== undefined && index < maxWithRules;
    return results.length === 0 ? [] : [{ ...others, results, ...(isWhole && { rules }) }];
  });
  return newestFirst.reverse();
}

function placesFor(kept: Map<string, Map<string, Kept>>, check: string, { ci, by }: Verification): Kept | undefined {
  const sources = kept.get(check) ?? new Map<string, Kept>();
  kept.set(check, sources);
  // An assistant's name is what its client says; the person's is known. No person's name contains a slash.
  const source = ci ? "/ci" : (by.split("/", 1)[0] ?? by);
  const known = sources.get(source);
  if (known) return known;
  if (!ci && sources.size - Number(sources.has("/ci")) >= maxSources) return undefined;
  const places = { results: 0, failedOn: new Set<string>() };
  sources.set(source, places);
  return places;
}

function keepResult(of: Kept, result: CheckResult, tree: string): CheckResult[] {
  const { check, outcome, why, ms } = result;
  const isNews = outcome === "failed" && !of.failedOn.has(tree) && of.failedOn.size < maxFailedTrees;
  if (isNews) of.failedOn.add(tree);
  if (of.results < maxResults) {
    of.results++;
    return [result];
  }
  return isNews ? [{ check, outcome, why: why.slice(0, maxWhy), ms }] : [];
}
