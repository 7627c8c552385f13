import type { Transaction } from "kysely";
import type { Ledger } from "../../../commons/ledger/index.ts";
import { type ProofPolicy, proofPolicies } from "../../../commons/project-file.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Reads } from "../../../platform/db/types.ts";
import type { ProofTables } from "./schema.ts";

export type TeamPolicy = {
  proof: ProofPolicy;
  /** Only verifications by CI count, not those of members' machines. */
  ciOnly: boolean;
};

type PolicyOptions = { database: Database<unknown>; ledger: Pick<Ledger, "commit">; team: string };

/** What a team demands before a ticket is completed. */
export class TeamPolicyStore {
  readonly #database: Database<ProofTables>;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #team: string;

  constructor({ database, ledger, team }: PolicyOptions) {
    this.#database = database.forTables<ProofTables>();
    this.#ledger = ledger;
    this.#team = team;
  }

  get(): Promise<TeamPolicy> {
    return this.#database.read((db) => this.#find(db));
  }

  async #find(db: Reads<ProofTables> | Transaction<ProofTables>): Promise<TeamPolicy> {
    const row = await db.selectFrom("proof_policy").selectAll().where("team", "=", this.#team).executeTakeFirst();
    return { proof: proofPolicies.find((known) => known === row?.policy) ?? "warn", ciOnly: row?.ci_only === 1 };
  }

  /** `decide` gets the policy as it is at that moment: what it allows may depend on whether the new one is lower. */
  set({ principal, record }: Actor, decide: (before: TeamPolicy) => TeamPolicy): Promise<TeamPolicy> {
    return this.#database.transaction(async (tx) => {
      const { proof, ciOnly } = decide(await this.#find(tx));
      const values = {
        policy: proof,
        ci_only: ciOnly ? 1 : 0,
        updated_at: Date.now(),
        updated_by: principal.name,
      };
      await tx
        .insertInto("proof_policy")
        .values({ team: this.#team, ...values })
        .onConflict((conflict) => conflict.column("team").doUpdateSet(values))
        .execute();
      await this.#ledger.commit(tx, record);
      return { proof, ciOnly };
    });
  }
}
