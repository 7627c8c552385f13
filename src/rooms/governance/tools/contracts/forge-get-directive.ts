import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { getContract } from "../../contracts/get-contract.ts";
import { contract, sessionId } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

/** An older form of forge_get_contract. */
export const forgeGetDirective = defineTool({
  name: "forge_get_directive",
  title: "Read the builder directive",
  description: "Read the contract `builder_directive`. Use forge_get_contract instead.",
  effect: "read",
  untrusted: "repository",
  unlisted: true,
  input: z.object({ session_id: sessionId }),
  output: contract,
  run: (services: GovernanceServices, input, call) =>
    getContract(services, { ...input, name: "builder_directive" }, call),
});
