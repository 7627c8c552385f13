import type { Ledger } from "../../../commons/ledger/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { Database } from "../../../platform/db/database.ts";
import { builtInInvariants } from "../check/built-in.ts";
import type { Contract, ContractEntry, ContractSource } from "../model/contract.ts";
import { type ContractName, listContracts } from "../model/contract-names.ts";
import { contractNotFound } from "../model/errors.ts";
import { saveContract } from "../store/save-contract.ts";
import type { GovernanceTables } from "../store/schema.ts";
import { parseContract } from "./parse-contract.ts";

/** Contracts that all projects of a team share have no project of their own. */
const shared = "";

/** The framework's contracts of a team, on its server. */
export class StoredContracts implements ContractSource {
  readonly #database: Database<GovernanceTables>;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #team: string;

  constructor({
    database,
    ledger,
    team,
  }: { database: Database<unknown>; ledger: Pick<Ledger, "commit">; team: string }) {
    this.#database = database.forTables<GovernanceTables>();
    this.#ledger = ledger;
    this.#team = team;
  }

  async get(name: ContractName): Promise<Contract> {
    const row = await this.#database.read((db) =>
      db
        .selectFrom("governance_contract")
        .select("content")
        .where("team", "=", this.#team)
        .where("project_id", "=", shared)
        .where("contract_type", "=", name)
        .orderBy("version", "desc")
        .limit(1)
        .executeTakeFirst(),
    );
    if (!row) throw contractNotFound(name);
    return parseContract(name, row.content);
  }

  async list(): Promise<ContractEntry[]> {
    const rows = await this.#database.read((db) =>
      db
        .selectFrom("governance_contract")
        .select("contract_type")
        .distinct()
        .where("team", "=", this.#team)
        .where("project_id", "=", shared)
        .execute(),
    );
    const known = new Set(rows.map(({ contract_type }) => contract_type));
    return listContracts((name) => known.has(name));
  }

  async invariants() {
    return { invariants: [...builtInInvariants] };
  }

  put(by: Actor, name: ContractName, content: string): Promise<{ name: ContractName; version: number }> {
    return this.#database.transaction(async (tx) => {
      const key = { team: this.#team, project_id: shared, contract_type: name };
      const made = { created_at: Date.now(), created_by: by.principal.name };
      const { version, isNew } = await saveContract(tx, key, { content, ...made });
      if (isNew) await this.#ledger.commit(tx, by.record);
      return { name, version };
    });
  }
}
