import type { Database } from "../../../platform/db/database.ts";
import type { GovernanceTables } from "../store/schema.ts";
import type { Measured } from "./judge.ts";

const maxCommits = 2_000;

export type TrendPoint = { commit: string; at: string; value: number };

/** Values of invariants by commit. */
export class MeasurementStore {
  readonly #database: Database<GovernanceTables>;

  constructor(database: Database<unknown>) {
    this.#database = database.forTables<GovernanceTables>();
  }

  async save(commit: string, measured: ReadonlyMap<string, Measured>, at: number): Promise<void> {
    const known = await this.#database.read((db) =>
      db.selectFrom("governance_measurement").select(["name", "value"]).where("commit_id", "=", commit).execute(),
    );
    const values = new Map(known.map(({ name, value }) => [name, value]));
    const rows = [...measured].flatMap(([name, one]) =>
      "value" in one && values.get(name) !== one.value ? [{ commit_id: commit, name, value: one.value, at }] : [],
    );
    if (rows.length === 0) return;
    await this.#database.transaction(async (tx) => {
      for (const row of rows)
        await tx
          .insertInto("governance_measurement")
          .values(row)
          .onConflict((conflict) => conflict.columns(["commit_id", "name"]).doUpdateSet({ value: row.value, at }))
          .execute();
    });
  }

  /** Oldest first. */
  async trend(name: string, limit = maxCommits): Promise<TrendPoint[]> {
    const rows = await this.#database.read((db) =>
      db
        .selectFrom("governance_measurement")
        .select(["commit_id", "at", "value"])
        .where("name", "=", name)
        .orderBy("at", "desc")
        .limit(limit)
        .execute(),
    );
    return rows
      .reverse()
      .map(({ commit_id, at, value }) => ({ commit: commit_id, at: new Date(at).toISOString(), value }));
  }
}
