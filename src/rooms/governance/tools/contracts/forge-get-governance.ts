import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { composeGovernance } from "../../contracts/compose.ts";
import { noteSharedContracts } from "../../contracts/note-shared.ts";
import { contractName, line, warnings } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeGetGovernance = defineTool({
  name: "forge_get_governance",
  title: "Read the project's rules",
  description:
    "Read the rules of this project in one call, before changing code: builder contract, boundaries, stack and invariants.",
  effect: "read",
  untrusted: "repository",
  input: z.object({}),
  output: z.object({
    governance_version: line,
    description: line,
    sections: z.record(line, z.unknown()),
    available_contracts: z.array(contractName).max(15),
    hint: line,
    warnings,
  }),
  async run(services: GovernanceServices, _input, call) {
    await noteSharedContracts(services, call);
    return composeGovernance(services.contracts, call.signal);
  },
});
