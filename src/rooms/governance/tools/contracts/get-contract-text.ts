import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { readContractText } from "../../contracts/contract-text.ts";
import { contractName } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const getContractText = defineTool({
  name: "get_contract_text",
  title: "Read a contract's text",
  description:
    "Read a contract as its file has it, to edit it. A contract that does not exist yet comes as a first version.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({ name: contractName }),
  output: z.object({ text: z.string(), sha256: z.string().optional(), file: z.string() }),
  run: (services: GovernanceServices, { name }, { signal }) => readContractText(services, name, signal),
});
