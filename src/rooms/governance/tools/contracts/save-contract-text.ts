import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { saveContractText as save } from "../../contracts/contract-text.ts";
import { limits } from "../../model/limits.ts";
import { contractName, warnings } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const saveContractText = defineTool({
  name: "save_contract_text",
  title: "Save a contract's text",
  description: "Save a contract that was edited. Fails if its file was changed in the meantime.",
  effect: "act",
  surfaces: ["cli"],
  input: z.object({
    name: contractName,
    text: z.string().max(limits.contract),
    sha256: z.string().max(64).optional().describe("Of the text that was edited; absent for a new file"),
  }),
  output: z.object({ file: z.string(), warnings }),
  run: (services: GovernanceServices, input) => save(services, input),
});
