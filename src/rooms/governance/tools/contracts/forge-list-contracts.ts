import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { contractEntry } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeListContracts = defineTool({
  name: "forge_list_contracts",
  title: "List contracts",
  description: "List the contracts by name, with file, format and whether the project has them.",
  effect: "read",
  input: z.object({}),
  output: z.object({ contracts: z.array(contractEntry).max(15), total: z.number().int() }),
  async run({ contracts }: GovernanceServices, _input, { signal }) {
    const entries = await contracts.list(signal);
    return { contracts: entries, total: entries.length };
  },
});
