import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noteSharedContracts } from "../../contracts/note-shared.ts";
import { contractEntry } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeListContracts = defineTool({
  name: "forge_list_contracts",
  title: "List contracts",
  description: "List the contracts by name, with file, format and whether the project has them.",
  effect: "read",
  input: z.object({}),
  output: z.object({ contracts: z.array(contractEntry).max(15), total: z.number().int() }),
  async run(services: GovernanceServices, _input, call) {
    // A server says what the files are called.
    await noteSharedContracts(services, call);
    const entries = await services.contracts.list(call.signal);
    return { contracts: entries, total: entries.length };
  },
});
