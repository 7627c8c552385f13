import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { getContract } from "../../contracts/get-contract.ts";
import { contract, contractName, sessionId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeGetContract = defineTool({
  name: "forge_get_contract",
  title: "Read a contract",
  description:
    "Read one contract in full. JSON and YAML are returned parsed; a file that cannot be parsed is returned as text, with a warning.",
  effect: "read",
  untrusted: "repository",
  input: z.object({ name: contractName, session_id: sessionId }),
  output: contract,
  run: (services: GovernanceServices, input, call) => getContract(services, input, call),
});
