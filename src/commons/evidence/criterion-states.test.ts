import { expect, test } from "vitest";
import type { Check, CheckResult, Verification, Waiver } from "./checks.ts";
import { readCriterionStates } from "./criterion-states.ts";

const criteria = [{ id: "AC-1", text: "It works" }];
const stamp = { by: "ada", at: "2030-01-01T00:00:00.000Z" };
const check: Check = { id: "C-1", criterion: "AC-1", how: { type: "test", file: "a.js", name: "works" }, ...stamp };
const waiver: Waiver = { criterion: "AC-1", reason: "No device", until: "2030-02-01T00:00:00.000Z", ...stamp };

function verified(result: Partial<CheckResult>, more: Partial<Verification> = {}): Verification {
  const results = [{ check: "C-1", outcome: "passed" as const, why: "Passed.", ms: 1, ...result }];
  const place = { commit: "a".repeat(40), tree: "b".repeat(40), clean: true, machine: "laptop" };
  return { id: "V-1", ...place, results, ...stamp, ...more };
}

function stateOf(...verifications: Verification[]): string {
  const [state] = readCriterionStates(criteria, { checks: [check], verifications });
  return `${state?.state}: ${state?.why}`;
}

test("a criterion is unproven, proven, failed or waived", () => {
  expect(readCriterionStates(criteria, {})).toMatchObject([{ state: "unproven", why: "No check is bound to it." }]);
  expect(stateOf()).toBe("unproven: It has not been run.");
  expect(stateOf(verified({ base: "failed" }))).toBe("proven: Passed.");
  expect(stateOf(verified({ outcome: "failed", why: "3 is not 4." }))).toBe("failed: 3 is not 4.");
  const now = Date.parse("2030-01-15");
  expect(readCriterionStates(criteria, { waivers: [waiver] }, { now })).toMatchObject([
    { state: "waived", why: "Waived by ada until 2030-02-01: No device" },
  ]);
});

test.each<[what: string, result: Partial<CheckResult>, says: string]>([
  ["was not run on the base", {}, "unproven: It was not run without the change."],
  ["passes on the base", { base: "passed" }, "unproven: It also passes without the change"],
  ["was weakened", { base: "failed", weakened: true }, "unproven: The same work changed the check"],
  ["ran on code of another tree", { outcome: "unknown_origin", base: "failed" }, "unproven: Passed."],
  ["is not found", { outcome: "not_found", base: "failed" }, "unproven: Passed."],
  ["matches two", { outcome: "ambiguous", base: "failed" }, "unproven: Passed."],
  ["did not finish", { outcome: "error", base: "failed" }, "failed: Passed."],
])("a check that %s proves nothing", (_, result, says) => {
  expect(stateOf(verified(result))).toContain(says);
});

test("where only CI counts, people still look, and waive; nobody else's runs count", () => {
  const by = { ...stamp, passed: true, saw: "It is blue" };
  const look: Check = { ...check, id: "C-2", how: { type: "look", what: "Is it blue?" }, look: by };
  const read = (checks: Check[], verifications: Verification[] = [], waivers: Waiver[] = []) =>
    readCriterionStates(
      criteria,
      { checks, verifications, waivers },
      { ciOnly: true, now: Date.parse("2030-01-15") },
    )[0];
  const own = verified({ base: "failed" });
  expect(read([look])).toMatchObject({ state: "proven", why: expect.stringContaining("ada looked") });
  expect(read([check], [], [waiver])).toMatchObject({ state: "waived" });
  // A look says nothing about a check that can be run, not even one that was recorded there.
  for (const checks of [[check], [check, look], [{ ...check, look: by }]])
    expect(read(checks, [own])).toMatchObject({ state: "unproven", why: "It has not been run." });
  expect(read([check, look], [{ ...own, ci: true }])).toMatchObject({ state: "proven" });
});

test("a waiver ends, and then the criterion is what its checks show", () => {
  const now = Date.parse("2030-02-02");
  expect(readCriterionStates(criteria, { waivers: [waiver] }, { now })).toMatchObject([{ state: "unproven" }]);
});

test("the latest result counts; both outcomes on one tree are flaky, from any source", () => {
  const [passed, failed] = [
    verified({ base: "failed" }),
    verified({ outcome: "failed" }, { by: "bob", machine: "ci" }),
  ];
  expect(stateOf(failed, passed)).toContain("unproven: Flaky");
  expect(stateOf(passed, failed)).toContain("unproven: Flaky");
  expect(stateOf({ ...failed, tree: "c".repeat(40) }, passed)).toContain("proven");
});
