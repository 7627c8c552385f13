import type { Call } from "../../../kernel/calls/call.ts";
import type { GovernanceServices } from "../model/services.ts";
import { readReport } from "./counts/test-counts.ts";
import { worseValues } from "./errors.ts";
import type { JudgedInvariant } from "./judge.ts";

type SavedFrom = { tests?: boolean | undefined; reports?: string[] | undefined; accept_worse?: boolean | undefined };
export type SavedValue = { name: string; before: number | null; after: number };

/**
 * Writes what was measured now as the values that later checks compare with, and takes fixed violations off the list. Only a
 * person may record a value that is worse than the one before.
 */
export async function saveValues(
  { check, policyEditor }: Pick<GovernanceServices, "check" | "policyEditor">,
  { tests, reports, accept_worse: acceptsWorse }: SavedFrom,
  call: Pick<Call, "signal" | "report" | "principal">,
): Promise<{ recorded: SavedValue[]; dropped: number }> {
  const { file } = await check.readPolicy();
  const result = await check.check({ mode: "full", runTests: tests, reports: reports?.map(readReport) }, call);
  const changes = result.invariants.flatMap((invariant): (SavedValue & { isWorse: boolean })[] => {
    const { name, value, constraint, source } = invariant;
    const isFixed = constraint === "non_zero" || (constraint === "equal" && !isOwnWithoutValue(name));
    // A side that the project does not have is not a value to hold on to.
    if (value === null || isFixed || source.startsWith("no ")) return [];
    const { recorded = {} } = file;
    const before = (Object.hasOwn(recorded, name) ? recorded[name]?.value : undefined) ?? null;
    return before === value ? [] : [{ name, before, after: value, isWorse: isWorse(constraint, before, value) }];
  });
  const worse = changes.filter((change) => change.isWorse);
  if (worse.length > 0 && !(acceptsWorse && call.principal.atKeyboard)) throw worseValues(worse);
  const at = new Date().toISOString();
  const recorded = changes.map(({ name, after }) => [
    name,
    { value: after, ...(result.commit !== undefined && { commit: result.commit }), at },
  ]);
  // Measuring takes a while, in which somebody may have recorded better ones.
  if (recorded.length > 0)
    await policyEditor.setRecorded(Object.fromEntries(recorded), { instead: file.recorded ?? {} });
  await policyEditor.dropKnown(result.fixed_violations);
  return {
    recorded: changes.map(({ name, before, after }) => ({ name, before, after })),
    dropped: result.fixed_violations.length,
  };

  function isOwnWithoutValue(name: string): boolean {
    return (file.invariants ?? []).some((own) => own.name === name && own.value === undefined);
  }
}

function isWorse(constraint: JudgedInvariant["constraint"], before: number | null, after: number): boolean {
  if (before === null) return false;
  if (constraint === "monotonic_up") return after < before;
  return constraint === "monotonic_down" ? after > before : after !== before;
}
