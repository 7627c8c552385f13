import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { composeSummary } from "../../contracts/compose.ts";
import { contractName } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeSummary = defineTool({
  name: "forge_summary",
  title: "Overview of the rules",
  description: "See which contracts, layers and invariants exist, without their text.",
  effect: "read",
  input: z.object({}),
  output: z.object({
    framework: z.string(),
    description: z.string(),
    contracts: z.array(contractName),
    available_contracts: z.array(contractName),
    architectural_layers: z.array(
      z.object({ name: z.string(), description: z.string(), forbidden_count: z.number().int() }),
    ),
    invariants: z.array(z.string()),
    endpoints: z.record(z.string(), z.string()),
  }),
  run: ({ contracts }: GovernanceServices, _input, { signal }) => composeSummary(contracts, signal),
});
