import type { ExpressionBuilder, ExpressionWrapper, SqlBool, Transaction } from "kysely";
import type { Database } from "../../../platform/db/database.ts";
import type { GovernanceTables } from "../store/schema.ts";
import { isAmong, maxBatch, takeBatch } from "./artifact-batch.ts";
import type { ArtifactUsage } from "./artifact-usage.ts";

type Tx = Transaction<GovernanceTables>;
type TrashFilter = (
  row: ExpressionBuilder<GovernanceTables, "governance_artifact_trash">,
) => ExpressionWrapper<GovernanceTables, "governance_artifact_trash", SqlBool>;

const trashMs = 24 * 3_600_000;
const sweepEveryMs = 60_000;
/** A creation time further ahead than this means that the machine's clock was set back. */
const maxSkewMs = 60_000;

type ArtifactExpiryOptions = {
  database: Database<GovernanceTables>;
  usage: ArtifactUsage;
  team: string;
  now(): number;
  /** When each team's expired artifacts were last deleted. */
  sweptAt: Map<string, number>;
};

/** Deletes artifacts whose time is over, and what has been in the trash for a day. */
export class ArtifactExpiry {
  readonly #options: ArtifactExpiryOptions;

  constructor(options: ArtifactExpiryOptions) {
    this.#options = options;
  }

  /** Looks once a minute, and first of all: what expired while nothing ran is gone for everyone. */
  async sweepDue(): Promise<void> {
    const { database, team, sweptAt } = this.#options;
    const now = this.#options.now();
    if (now - (sweptAt.get(team) ?? Number.NEGATIVE_INFINITY) < sweepEveryMs) return;
    const due = await database.read((db) =>
      db
        .selectFrom("governance_artifact")
        .select("expires_at")
        .where("team", "=", team)
        .where((where) => where.or([where("expires_at", "<=", now), where("created_at", ">", now + maxSkewMs)]))
        .limit(1)
        .executeTakeFirst(),
    );
    if (due) await this.sweep();
    sweptAt.set(team, now);
  }

  async sweep(): Promise<void> {
    const { database, team } = this.#options;
    const now = this.#options.now();
    await database.transaction(async (tx) => {
      // The clock was set back: from here on they live as long as they were to live at first, and no longer.
      await tx
        .updateTable("governance_artifact")
        .set((set) => ({ created_at: now, expires_at: set(set.ref("ttl_ms"), "+", now) }))
        .where("team", "=", team)
        .where("created_at", ">", now + maxSkewMs)
        .execute();
    });
    for (let count = 1; count > 0; ) count = await database.transaction((tx) => this.#deleteSome(tx, now));
    await this.#emptyTrash((row) => row.or([row("cleared_at", "<=", now - trashMs), row("expires_at", "<=", now)]));
  }

  /** What was cleared first goes first. */
  async limitTrash(project: string): Promise<void> {
    const { database, usage } = this.#options;
    const until = await database.read((db) => usage.findTrashLimit(db, project));
    if (until === undefined) return;
    await this.#emptyTrash((row) => row.and([row("project_id", "=", project), row("cleared_at", "<=", until)]));
  }

  async #deleteSome(tx: Tx, now: number): Promise<number> {
    const { team, usage } = this.#options;
    const expired = tx.selectFrom("governance_artifact").where("team", "=", team).where("expires_at", "<=", now);
    const keys = expired.select(["project_id", "artifact_type", "key", "size"]);
    const batch = takeBatch(await keys.limit(maxBatch.artifacts).execute());
    if (batch.length === 0) return 0;
    await tx.deleteFrom("governance_artifact").where("team", "=", team).where(isAmong(batch)).execute();
    await usage.subtract(tx, batch);
    return batch.length;
  }

  async #emptyTrash(which: TrashFilter): Promise<void> {
    const { database } = this.#options;
    for (let count = 1; count > 0; ) count = await database.transaction((tx) => this.#emptySome(tx, which));
  }

  async #emptySome(tx: Tx, which: TrashFilter): Promise<number> {
    const { team } = this.#options;
    const trash = tx.selectFrom("governance_artifact_trash").where("team", "=", team).where(which);
    const keys = trash.select(["project_id", "artifact_type", "key", "cleared_at", "size"]);
    const batch = takeBatch(await keys.limit(maxBatch.artifacts).execute());
    for (const cleared_at of new Set(batch.map((row) => row.cleared_at))) {
      const together = batch.filter((row) => row.cleared_at === cleared_at);
      const gone = tx.deleteFrom("governance_artifact_trash").where("team", "=", team);
      await gone.where("cleared_at", "=", cleared_at).where(isAmong(together)).execute();
    }
    return batch.length;
  }
}
