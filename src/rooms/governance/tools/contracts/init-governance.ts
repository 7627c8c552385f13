import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { contractName } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";
import { writeStarters } from "../../starters/write-starters.ts";

export const initGovernance = defineTool({
  name: "init_governance",
  title: "Create contracts",
  description:
    "Writes a first version of each contract to Forge/Contracts, based on the repository, and the values of " +
    "the invariants to Forge/invariants.json. Files that exist are left as they are.",
  effect: "act",
  surfaces: ["cli"],
  deadlineMs: 300_000,
  input: z.object({ names: z.array(contractName).max(15).optional().describe("Only these contracts (default: all)") }),
  output: z.object({ written: z.array(z.string()), kept: z.array(z.string()) }),
  run: (services: GovernanceServices, { names = [] }, call) => writeStarters(services, names, call),
});
