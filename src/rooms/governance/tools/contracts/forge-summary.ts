import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { composeSummary } from "../../contracts/compose.ts";
import { noteSharedContracts } from "../../contracts/note-shared.ts";
import { contractName, line, longText } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeSummary = defineTool({
  name: "forge_summary",
  title: "Overview of the rules",
  description: "See which contracts, layers and invariants exist, without their text.",
  effect: "read",
  untrusted: "repository",
  input: z.object({}),
  output: z.object({
    framework: line,
    description: line,
    contracts: z.array(contractName).max(15),
    available_contracts: z.array(contractName).max(15),
    architectural_layers: z
      .array(z.object({ name: longText, description: longText, forbidden_count: z.number().int() }))
      .max(100_000),
    invariants: z.array(line).max(1_000),
    endpoints: z.record(line, line),
  }),
  async run(services: GovernanceServices, _input, call) {
    await noteSharedContracts(services, call);
    return composeSummary(services.contracts, call.signal);
  },
});
