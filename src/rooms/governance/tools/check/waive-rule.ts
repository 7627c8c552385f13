import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { didYouMean } from "../../../../kernel/text/closest.ts";
import { needsPerson, unknownRule } from "../../check/errors.ts";
import { listInvariants } from "../../check/policy.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const waiveRule = defineTool({
  name: "waive_rule",
  title: "Waive a rule",
  description:
    "Allows a rule to be broken until a date, and writes who allowed it and why to Forge/invariants.json. Once the date has " +
    "passed, checks fail until the waiver is renewed or removed.",
  effect: "act",
  surfaces: ["cli"],
  // Refuses everyone but a person.
  asksFirst: false,
  input: z.object({
    rule: z.string().min(1).max(300).describe("An invariant's name, or boundary:LAYER"),
    file: z.string().max(4_096).optional().describe("Only for this file"),
    reason: z.string().min(1).max(2_000).describe("Why"),
    until: z
      .string()
      .max(10)
      .regex(/^\d{4}-\d\d-\d\d$/, "must be a date like 2026-12-31")
      .describe("Its last day, such as 2026-12-31"),
  }),
  output: z.object({
    rule: z.string(),
    file: z.string().optional(),
    reason: z.string(),
    by: z.string(),
    until: z.string(),
  }),
  async run({ check, policyEditor }: GovernanceServices, waiver, { principal }) {
    if (!principal.atKeyboard) throw needsPerson();
    const { file, layers } = await check.readPolicy();
    const known = [...listInvariants(file).map(({ name }) => name), ...layers.map(({ name }) => `boundary:${name}`)];
    if (!known.includes(waiver.rule)) throw unknownRule(waiver.rule, known, didYouMean(waiver.rule, known));
    const made = { ...waiver, by: principal.name };
    await policyEditor.addWaiver(made);
    return made;
  },
});
