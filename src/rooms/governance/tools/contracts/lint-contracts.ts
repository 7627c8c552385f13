import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import type { GovernanceServices } from "../../model/services.ts";
import { lintContracts as findProblems } from "../../starters/lint-contracts.ts";

export const lintContracts = defineTool({
  name: "lint_contracts",
  title: "Check contracts for mistakes",
  description:
    "Checks that contracts parse, that layers match files, and that rules, values and waivers name what exists. Exits with 1 if " +
    "something is wrong.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({}),
  output: z.object({
    problems: z.array(z.object({ file: z.string(), severity: z.enum(["error", "warning"]), message: z.string() })),
  }),
  run: async (services: GovernanceServices, _input, call) => ({ problems: await findProblems(services, call) }),
});
