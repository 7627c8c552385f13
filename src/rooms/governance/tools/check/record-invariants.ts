import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { saveValues } from "../../check/save-values.ts";
import { reports } from "../../model/check-schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const recordInvariants = defineTool({
  name: "record_invariants",
  title: "Record values of invariants",
  description:
    "Writes the values measured now to Forge/invariants.json, where later checks compare with them, and removes fixed " +
    "violations from the list of known ones. Recording a worse value needs a person at a terminal.",
  effect: "act",
  surfaces: ["cli"],
  deadlineMs: 3_600_000,
  input: z.object({
    tests: z.boolean().optional().describe("Run the tests first"),
    reports,
    accept_worse: z.boolean().optional().describe("Record worse values too, after asking you"),
  }),
  output: z.object({
    recorded: z.array(z.object({ name: z.string(), before: z.number().nullable(), after: z.number() })),
    dropped: z.number().int(),
  }),
  run: (services: GovernanceServices, input, call) => saveValues(services, input, call),
});
