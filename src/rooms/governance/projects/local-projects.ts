import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { Ledger } from "../../../commons/ledger/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { ProjectContractType } from "../model/contract-names.ts";
import { limits } from "../model/limits.ts";
import type { HistoryEntry, ProjectContext, ProjectContract, ProjectFacts, ProjectStore } from "../model/project.ts";
import { saveContract } from "../store/save-contract.ts";
import type { GovernanceTables } from "../store/schema.ts";
import { contractMissing, projectExists } from "./errors.ts";
import { type Db, findProject, latestContracts, requireProject } from "./project-queries.ts";

export type LocalProjectsOptions = {
  database: Database<unknown>;
  ledger: Pick<Ledger, "commit">;
  team?: string;
  now?: () => number;
  /** Told after a project was created. */
  created?: () => void;
};

/** Without the texts, which are 1 GB if there are a thousand versions. Characters are counted only in those that are short: that reads them. */
const shownSize = sql<number>`case when octet_length(content) <= 65536 then length(content) else octet_length(content) end`;

/** Versions of a contract: each can be a megabyte. Their most is a multiple of it. */
const readAtOnce = 20;

/** Projects in the project's own store, or a team's on its server. */
export class LocalProjects implements ProjectStore {
  readonly #database: Database<GovernanceTables>;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #team: string;
  readonly #now: () => number;
  readonly #created: () => void;

  constructor({ database, ledger, team = "", now = Date.now, created = () => undefined }: LocalProjectsOptions) {
    this.#database = database.forTables<GovernanceTables>();
    this.#ledger = ledger;
    this.#team = team;
    this.#now = now;
    this.#created = created;
  }

  async list(): Promise<ProjectFacts[]> {
    return this.#database.read((db) =>
      db
        .selectFrom("governance_project")
        .select(["id", "name", "status"])
        .where("team", "=", this.#team)
        .orderBy("created_at")
        .orderBy("id")
        .limit(limits.listed)
        .execute(),
    );
  }

  async create(
    by: Actor,
    { name, id = randomUUID() }: { name: string; id?: string | undefined },
  ): Promise<ProjectFacts> {
    const [project, now] = [{ id, name, status: "active" }, this.#now()];
    await this.#database.transaction(async (tx) => {
      if (await findProject(tx, this.#team, id)) throw projectExists(id);
      const row = { team: this.#team, ...project, created_at: now, updated_at: now };
      await tx.insertInto("governance_project").values(row).execute();
      by.record.about.push(`project:${id}`);
      await this.#ledger.commit(tx, by.record);
    });
    this.#created();
    return project;
  }

  async context(id: string): Promise<ProjectContext> {
    return this.#database.read(async (db) => {
      const { name, status } = await requireProject(db, this.#team, id);
      const contracts = await latestContracts(db, this.#team, id);
      const { latest, count } = await db
        .selectFrom("governance_build")
        .select(({ fn }) => [fn.max("batch").as("latest"), fn.countAll<number>().as("count")])
        .where((where) => where.and({ team: this.#team, project_id: id }))
        .executeTakeFirstOrThrow();
      return {
        project: { id, name, status },
        contracts: contracts.map(({ contract_type, version, content, created_at }) => ({
          contract_type,
          version,
          size_chars: content.length,
          updated_at: new Date(created_at).toISOString(),
        })),
        latest_batch: latest ?? null,
        build_count: Number(count),
      };
    });
  }

  async contract(
    id: string,
    type: ProjectContractType,
    _signal?: AbortSignal,
    version?: number,
  ): Promise<ProjectContract> {
    return this.#database.read(async (db) => {
      await requireProject(db, this.#team, id);
      const row = await this.#versions(db, id, type, version).executeTakeFirst();
      if (!row) throw contractMissing(id, type, version);
      return { contract_type: type, content: row.content, version: row.version, project_id: id, source: "project_db" };
    });
  }

  putContract(by: Actor, id: string, type: ProjectContractType, content: string): Promise<ProjectContract> {
    return this.#database.transaction(async (tx) => {
      await requireProject(tx, this.#team, id);
      const key = { team: this.#team, project_id: id, contract_type: type };
      const made = { created_at: this.#now(), created_by: by.principal.name };
      const { version, isNew } = await saveContract(tx, key, { content, ...made });
      by.record.about.push(`project:${id}`);
      if (isNew) await this.#ledger.commit(tx, by.record);
      return { contract_type: type, content, version, project_id: id, source: "project_db" };
    });
  }

  async history(id: string, type: ProjectContractType): Promise<HistoryEntry[]> {
    return this.#database.read(async (db) => {
      await requireProject(db, this.#team, id);
      const found: HistoryEntry[] = [];
      let isMore = true;
      // When a version was saved is behind its text, which SQLite reads to reach it: others are answered in between.
      for (let before = Number.MAX_SAFE_INTEGER; isMore && found.length < limits.listed; await nextTurn()) {
        const rows = await this.#versions(db, id, type)
          .clearSelect()
          .select(["version", "created_at", "created_by", shownSize.as("size_chars")])
          .where("version", "<", before)
          .limit(readAtOnce)
          .execute();
        found.push(
          ...rows.map(({ created_at, ...row }) => ({ ...row, created_at: new Date(created_at).toISOString() })),
        );
        before = rows.at(-1)?.version ?? 0;
        isMore = rows.length === readAtOnce;
      }
      return found;
    });
  }

  #versions(db: Db, project: string, type: string, version?: number) {
    const query = db
      .selectFrom("governance_contract")
      .selectAll()
      .where((where) => where.and({ team: this.#team, project_id: project, contract_type: type }))
      .orderBy("version", "desc");
    return version === undefined ? query : query.where("version", "=", version);
  }
}
