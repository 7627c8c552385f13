import type { Database } from "../../../platform/db/database.ts";
import type { GovernanceTables } from "../store/schema.ts";
import type { ArtifactUsage } from "./artifact-usage.ts";

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

  sweep(): Promise<void> {
    const { database, team, usage } = this.#options;
    return database.transaction(async (tx) => {
      const now = this.#options.now();
      // The clock was set back: from here on they live as long as they were to live at first, and no longer.
      await tx
        .updateTable("governance_artifact")
        .set((set) => ({ created_at: now, expires_at: set(set.ref("ttl_ms"), "+", now) }))
        .where("team", "=", team)
        .where("created_at", ">", now + maxSkewMs)
        .execute();
      const gone = await tx
        .deleteFrom("governance_artifact")
        .where("team", "=", team)
        .where("expires_at", "<=", now)
        .returning(["project_id", "size"])
        .execute();
      await usage.subtract(tx, gone);
      await tx
        .deleteFrom("governance_artifact_trash")
        .where("team", "=", team)
        .where((where) => where.or([where("cleared_at", "<=", now - trashMs), where("expires_at", "<=", now)]))
        .execute();
    });
  }
}
