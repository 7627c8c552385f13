import type { Ledger } from "../../../commons/ledger/index.ts";
import { type ProofPolicy, proofPolicies } from "../../../commons/project-file.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { Database } from "../../../platform/db/database.ts";
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

  async get(): Promise<TeamPolicy> {
    const row = await this.#database.read((db) =>
      db.selectFrom("proof_policy").selectAll().where("team", "=", this.#team).executeTakeFirst(),
    );
    return { proof: proofPolicies.find((known) => known === row?.policy) ?? "warn", ciOnly: row?.ci_only === 1 };
  }

  async set({ principal, record }: Actor, { proof, ciOnly }: TeamPolicy): Promise<TeamPolicy> {
    const values = {
      policy: proof,
      ci_only: ciOnly ? 1 : 0,
      updated_at: Date.now(),
      updated_by: principal.name,
    };
    await this.#database.transaction(async (tx) => {
      await tx
        .insertInto("proof_policy")
        .values({ team: this.#team, ...values })
        .onConflict((conflict) => conflict.column("team").doUpdateSet(values))
        .execute();
      await this.#ledger.commit(tx, record);
    });
    return { proof, ciOnly };
  }
}
