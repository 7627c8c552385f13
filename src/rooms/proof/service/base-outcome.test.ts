import { expect, test } from "vitest";
import type { CheckResult, Verification } from "../../../commons/evidence/checks.ts";
import { localPrincipal, signatureOf } from "../../../kernel/principal.ts";
import { machineName } from "../../../platform/host/machine-name.ts";
import { isOwnRun } from "../model/is-own-run.ts";
import { findKnownBases } from "./base-outcome.ts";

const [base, blob] = ["a".repeat(40), "b".repeat(40)];

function verified(result: Partial<CheckResult>): Verification {
  const results = [{ check: "C-1", outcome: "passed" as const, why: "", ms: 1, ...result }];
  const place = { commit: base, tree: base, base, clean: true, machine: "laptop", by: "ada", at: "" };
  return { id: "V-1", ...place, results };
}

test("what the base showed holds for the same base, check and test file", () => {
  const known = (result: Partial<CheckResult>, at = base, own: [string, string][] = [["C-1", blob]]) =>
    findKnownBases(at, [verified(result)], new Map(own)).get("C-1")?.outcome;
  expect(known({ base: "failed", own: blob })).toBe("failed");
  expect(known({ base: "error", own: blob })).toBe("error");
  expect(known({ base: "failed", own: "c".repeat(40) })).toBeUndefined();
  expect(known({ base: "failed", own: blob }, "d".repeat(40))).toBeUndefined();
  expect(known({ own: blob })).toBeUndefined();
  // The same cause may have made both fail, such as packages that are missing.
  expect(known({ outcome: "failed", base: "failed", own: blob })).toBeUndefined();
  // A command has no file of its own; its error may have had other causes.
  expect(known({ base: "passed" }, base, [])).toBe("passed");
  expect(known({ base: "error" }, base, [])).toBeUndefined();
});

test("only what Forge ran here, for this user, is relied on", () => {
  const ada = localPrincipal("ada");
  const own = { by: signatureOf(ada), machine: machineName() };
  expect(isOwnRun(own, ada)).toBe(true);
  expect(isOwnRun({ ...own, machine: "another" }, ada)).toBe(false);
  expect(isOwnRun(own, localPrincipal("bob"))).toBe(false);
});
