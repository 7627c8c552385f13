import type { Transaction } from "kysely";
import type { Reads } from "../../../platform/db/types.ts";
import type { GovernanceTables } from "../store/schema.ts";
import { projectFull } from "./errors.ts";

type Tx = Transaction<GovernanceTables>;

/** Of one project's artifacts together. */
export type ArtifactQuota = { artifacts: number; characters: number };

/** How much the projects of a team have stored, kept beside the artifacts so that a limit costs no count. */
export class ArtifactUsage {
  readonly #team: string;
  readonly #quota: ArtifactQuota;

  constructor(team: string, quota: ArtifactQuota) {
    this.#team = team;
    this.#quota = quota;
  }

  /** Throws where the project would have more than it may. */
  async add(tx: Tx, project: string, artifacts: number, bytes: number): Promise<void> {
    const owner = { team: this.#team, project_id: project };
    const known = await tx
      .selectFrom("governance_artifact_usage")
      .select(["artifacts", "bytes"])
      .where((where) => where.and(owner))
      .executeTakeFirst();
    const usage = { artifacts: (known?.artifacts ?? 0) + artifacts, bytes: (known?.bytes ?? 0) + bytes };
    const { artifacts: maxArtifacts, characters: maxCharacters } = this.#quota;
    if (artifacts > 0 && usage.artifacts > maxArtifacts) throw projectFull(project, maxArtifacts, "artifacts");
    if (bytes > 0 && usage.bytes > maxCharacters) throw projectFull(project, maxCharacters, "characters");
    await tx
      .insertInto("governance_artifact_usage")
      .values({ ...owner, ...usage })
      .onConflict((conflict) => conflict.columns(["team", "project_id"]).doUpdateSet(usage))
      .execute();
  }

  /** Takes deleted artifacts off. */
  async subtract(tx: Tx, gone: readonly { project_id: string; size: number }[]): Promise<void> {
    for (const project of new Set(gone.map(({ project_id }) => project_id))) {
      const sizes = gone.filter(({ project_id }) => project_id === project).map(({ size }) => size);
      await this.add(tx, project, -sizes.length, -sum(sizes));
    }
  }

  /** Until when what was cleared is too much: storing and clearing in turn must not fill the disk. */
  async findTrashLimit(db: Reads<GovernanceTables>, project: string): Promise<number | undefined> {
    const owner = { team: this.#team, project_id: project };
    const clearings = await db
      .selectFrom("governance_artifact_trash")
      .select(({ fn }) => ["cleared_at", fn.sum<number>("size").as("size")])
      .where((where) => where.and(owner))
      .groupBy("cleared_at")
      .orderBy("cleared_at", "desc")
      .execute();
    let total = 0;
    const first = clearings.find(({ size }) => {
      total += Number(size);
      return total > this.#quota.characters;
    });
    return first?.cleared_at;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
