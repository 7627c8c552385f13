import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { readReport } from "../../check/counts/test-counts.ts";
import { toSarif } from "../../check/sarif.ts";
import { checkResult, reports, since } from "../../model/check-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const runGovernanceCheck = defineTool({
  name: "run_governance_check",
  title: "Check the project's rules",
  description:
    "Measures the project's invariants and compares them with the recorded values, and checks the layers in boundaries.json. " +
    "Exits with 1 if a rule is broken. Commands of invariants and tests run only in a trusted project.",
  effect: "act",
  surfaces: ["cli"],
  // Git hooks run it, and it changes nothing.
  asksFirst: false,
  deadlineMs: 3_600_000,
  input: z.object({
    since: since.describe("Check against the rules and values of this commit, branch or tag"),
    tests: z.boolean().optional().describe("Run the tests, instead of using the latest recorded run"),
    reports,
    sarif: z.boolean().optional().describe("Print SARIF, for code scanning"),
  }),
  output: checkResult.extend({ sarif: z.record(z.string(), z.unknown()).optional() }),
  async run({ check, version }: GovernanceServices, { since: revision, tests, reports: texts, sarif }, call) {
    const result = await check.check(
      { since: revision, mode: "full", runTests: tests, reports: texts?.map(readReport) },
      call,
    );
    return { ...result, ...(sarif && { sarif: toSarif(result, version) }) };
  },
});
