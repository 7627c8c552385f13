import type { Verification } from "../../../../commons/evidence/checks.ts";

/** Of all that a ticket's records may have, so that there is room for the rest. */
const maxLength = 600_000;
const maxWhy = 200;

/** One after the other: what a report then says is less, and never more. */
const shortenings: ((given: Verification) => Verification)[] = [
  // Without its files a result depends on the complete tree.
  (given) => ({ ...given, results: given.results.map(({ files: _, ...result }) => result) }),
  ({ rules: _, ...given }) => given,
  (given) => ({
    ...given,
    results: given.results.map(({ why, baseWhy, ...result }) => ({
      ...result,
      why: why.slice(0, maxWhy),
      ...(baseWhy !== undefined && { baseWhy: baseWhy.slice(0, maxWhy) }),
    })),
  }),
];

/** Shortens the longest report, and again, while all together are too long: nobody can keep others from reporting by reporting much. */
export function fitVerifications(all: readonly Verification[]): Verification[] {
  const fitted = all.map((given) => ({ given, length: JSON.stringify(given).length, left: shortenings }));
  for (;;) {
    const longest = fitted.filter(({ left }) => left.length > 0).sort((a, b) => b.length - a.length)[0];
    const length = fitted.reduce((sum, one) => sum + one.length, 0);
    const [shorten, ...left] = longest?.left ?? [];
    if (!longest || !shorten || length <= maxLength) return fitted.map(({ given }) => given);
    const given = shorten(longest.given);
    Object.assign(longest, { given, length: JSON.stringify(given).length, left });
  }
}
