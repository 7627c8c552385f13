import type { Reads } from "../../../platform/db/types.ts";
import { limits } from "../model/limits.ts";
import type { GovernanceTables } from "../store/schema.ts";
import { projectNotFound } from "./errors.ts";

export type Db = Pick<Reads<GovernanceTables>, "selectFrom">;

export function findProject(db: Db, team: string, id: string) {
  return db
    .selectFrom("governance_project")
    .selectAll()
    .where((where) => where.and({ team, id }))
    .executeTakeFirst();
}

/** Names the nearest ids for one that does not exist. */
export async function requireProject(db: Db, team: string, id: string) {
  const row = await findProject(db, team, id);
  if (row) return row;
  const known = db.selectFrom("governance_project").select("id").where("team", "=", team).limit(limits.listed);
  const ids = (await known.execute()).map((project) => project.id);
  throw projectNotFound(id, ids);
}

/** The newest version of each contract of a project. */
export function latestContracts(db: Db, team: string, project: string) {
  return db
    .selectFrom("governance_contract as own")
    .selectAll()
    .where((where) => where.and({ team, project_id: project }))
    .where("version", "=", (where) =>
      where
        .selectFrom("governance_contract as other")
        .select(({ fn }) => fn.max("other.version").as("latest"))
        .whereRef("other.team", "=", "own.team")
        .whereRef("other.project_id", "=", "own.project_id")
        .whereRef("other.contract_type", "=", "own.contract_type"),
    )
    .orderBy("contract_type")
    .execute();
}
