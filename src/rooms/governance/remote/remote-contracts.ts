import * as z from "zod";
import { path } from "../../../commons/remote/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Contract, ContractEntry, ContractSource } from "../model/contract.ts";
import type { ContractName } from "../model/contract-names.ts";
import { contractNotFound } from "../model/errors.ts";
import { contract, contractEntry, invariantList } from "../model/schemas.ts";
import type { GovernanceClient } from "./governance-client.ts";

const entries = z.object({ contracts: z.array(contractEntry) });

/** The framework's contracts on a governance server. */
export class RemoteContracts implements ContractSource {
  readonly #client: GovernanceClient;

  constructor(client: GovernanceClient) {
    this.#client = client;
  }

  async get(name: ContractName, signal: AbortSignal): Promise<Contract> {
    try {
      const answer = { schema: contract, what: "a contract" };
      const { source: _, warnings, ...read } = await this.#client.root(path`/forge/contracts/${name}`, answer, signal);
      return { ...read, ...(warnings && { warnings }) };
    } catch (error) {
      if (error instanceof ForgeError && error.code === "NOT_FOUND") throw contractNotFound(name);
      throw error;
    }
  }

  async list(signal: AbortSignal): Promise<ContractEntry[]> {
    const answer = { schema: entries, what: "a list of contracts" };
    return (await this.#client.root(path`/forge/contracts`, answer, signal)).contracts;
  }

  async invariants(signal: AbortSignal) {
    const answer = { schema: invariantList, what: "a list of invariants" };
    const { invariants } = await this.#client.root(path`/forge/invariants`, answer, signal);
    return { invariants };
  }
}
