import * as z from "zod";
import { path } from "../../../commons/remote/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { ContractName } from "../model/contract-names.ts";
import type { GovernanceClient } from "./governance-client.ts";

const answer = { schema: z.object({ name: z.string(), version: z.number().int() }), what: "a saved contract" };

/** Saves contracts on a server for all of a team's projects. */
export async function pushContracts(
  client: GovernanceClient,
  { principal: by }: Actor,
  contracts: readonly { name: ContractName; text: string }[],
): Promise<{ name: string; version: number }[]> {
  const pushed: { name: string; version: number }[] = [];
  for (const { name, text } of contracts)
    pushed.push(
      await client.request("POST", path`/governance/contracts`, answer, { body: { name, content: text }, by }),
    );
  return pushed;
}
