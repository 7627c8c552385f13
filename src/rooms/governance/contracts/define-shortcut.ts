import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import type { ContractName } from "../model/contract-names.ts";
import { contract, sessionId } from "../model/schemas.ts";
import type { GovernanceServices } from "../model/services.ts";
import { getContract } from "./get-contract.ts";

/** An older form of forge_get_contract for one contract: callable, and in no list. */
export function defineShortcut(name: string, title: string, of: ContractName) {
  return defineTool({
    name,
    title,
    description: `Read the contract \`${of}\`. Use forge_get_contract instead.`,
    effect: "read",
    untrusted: "repository",
    unlisted: true,
    input: z.object({ session_id: sessionId }),
    output: contract,
    run: (services: GovernanceServices, input, call) => getContract(services, { ...input, name: of }, call),
  });
}
