import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { Ledger } from "../../../commons/ledger/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Reads } from "../../../platform/db/types.ts";
import type { ProjectContractType } from "../model/contract-names.ts";
import { limits } from "../model/limits.ts";
import type {
  BuildContracts,
  BuildFacts,
  HistoryEntry,
  ProjectContext,
  ProjectContract,
  ProjectFacts,
  ProjectStore,
} from "../model/project.ts";
import { saveContract } from "../store/save-contract.ts";
import type { BuildTable, GovernanceTables } from "../store/schema.ts";
import { buildNotFound, contractMissing, nothingToPin, projectExists, projectNotFound } from "./errors.ts";

type Tx = Transaction<GovernanceTables>;
type Db = Pick<Reads<GovernanceTables>, "selectFrom">;

export type LocalProjectsOptions = {
  database: Database<unknown>;
  ledger: Pick<Ledger, "commit">;
  team?: string;
  now?: () => number;
  /** Told after a project was created. */
  created?: () => void;
};

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
    const project = { id, name, status: "active" };
    const now = this.#now();
    await this.#database.transaction(async (tx) => {
      if (await this.#find(tx, id)) throw projectExists(id);
      await tx
        .insertInto("governance_project")
        .values({ team: this.#team, ...project, created_at: now, updated_at: now })
        .execute();
      await this.#commit(tx, by, id);
    });
    this.#created();
    return project;
  }

  async context(id: string): Promise<ProjectContext> {
    return this.#database.read(async (db) => {
      const { name, status } = await this.#require(db, id);
      const contracts = await this.#latest(db, id);
      const { latest, count } = await db
        .selectFrom("governance_build")
        .select(({ fn }) => [fn.max("batch").as("latest"), fn.countAll<number>().as("count")])
        .where("team", "=", this.#team)
        .where("project_id", "=", id)
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
      await this.#require(db, id);
      const row = await this.#versions(db, id, type, version).executeTakeFirst();
      if (!row) throw contractMissing(id, type, version);
      return { contract_type: type, content: row.content, version: row.version, project_id: id, source: "project_db" };
    });
  }

  putContract(by: Actor, id: string, type: ProjectContractType, content: string): Promise<ProjectContract> {
    return this.#database.transaction(async (tx) => {
      await this.#require(tx, id);
      const key = { team: this.#team, project_id: id, contract_type: type };
      const made = { created_at: this.#now(), created_by: by.principal.name };
      const { version, isNew } = await saveContract(tx, key, { content, ...made });
      if (isNew) await this.#commit(tx, by, id);
      return { contract_type: type, content, version, project_id: id, source: "project_db" };
    });
  }

  async history(id: string, type: ProjectContractType): Promise<HistoryEntry[]> {
    return this.#database.read(async (db) => {
      await this.#require(db, id);
      const rows = await this.#versions(db, id, type).limit(limits.listed).execute();
      return rows.map(({ version, content, created_at, created_by }) => ({
        version,
        size_chars: content.length,
        created_at: new Date(created_at).toISOString(),
        created_by,
      }));
    });
  }

  startBuild(by: Actor, project: string): Promise<BuildFacts> {
    return this.#database.transaction(async (tx) => {
      await this.#require(tx, project);
      const contracts = await this.#latest(tx, project);
      if (contracts.length === 0) throw nothingToPin(project);
      const last = await tx
        .selectFrom("governance_build")
        .select("batch")
        .where("team", "=", this.#team)
        .where("project_id", "=", project)
        .orderBy("batch", "desc")
        .limit(1)
        .executeTakeFirst();
      const build: BuildTable = {
        team: this.#team,
        id: randomUUID(),
        project_id: project,
        batch: (last?.batch ?? 0) + 1,
        status: "open",
        pinned_at: this.#now(),
        closed_at: null,
        created_by: by.principal.name,
      };
      await tx.insertInto("governance_build").values(build).execute();
      const pinned = contracts.map(({ contract_type, version, content }) => ({
        team: this.#team,
        build_id: build.id,
        contract_type,
        version,
        content,
      }));
      await tx.insertInto("governance_build_contract").values(pinned).execute();
      by.record.about.push(`build:${build.id}`);
      await this.#commit(tx, by, project);
      return describeBuild(build, pinned.length);
    });
  }

  async builds(project: string): Promise<BuildFacts[]> {
    return this.#database.read(async (db) => {
      await this.#require(db, project);
      const rows = await db
        .selectFrom("governance_build")
        .selectAll()
        .where("team", "=", this.#team)
        .where("project_id", "=", project)
        .orderBy("batch", "desc")
        .limit(limits.listed)
        .execute();
      const counts = await this.#countPinned(
        db,
        rows.map(({ id }) => id),
      );
      return rows.map((row) => describeBuild(row, counts.get(row.id) ?? 0));
    });
  }

  async build(id: string): Promise<BuildFacts> {
    return this.#database.read(async (db) => {
      const row = await this.#requireBuild(db, id);
      return describeBuild(row, (await this.#countPinned(db, [id])).get(id) ?? 0);
    });
  }

  closeBuild(by: Actor, id: string): Promise<BuildFacts> {
    return this.#database.transaction(async (tx) => {
      const row = await this.#requireBuild(tx, id);
      const count = (await this.#countPinned(tx, [id])).get(id) ?? 0;
      if (row.status === "closed") return describeBuild(row, count);
      const closed = { status: "closed", closed_at: this.#now() };
      await tx
        .updateTable("governance_build")
        .set(closed)
        .where("team", "=", this.#team)
        .where("id", "=", id)
        .execute();
      by.record.about.push(`build:${id}`);
      await this.#commit(tx, by, row.project_id);
      return describeBuild({ ...row, ...closed }, count);
    });
  }

  async buildContracts(id: string): Promise<BuildContracts> {
    return this.#database.read(async (db) => {
      const { batch, pinned_at } = await this.#requireBuild(db, id);
      const contracts = await db
        .selectFrom("governance_build_contract")
        .select(["contract_type", "content"])
        .where("team", "=", this.#team)
        .where("build_id", "=", id)
        .orderBy("contract_type")
        .execute();
      if (contracts.length === 0)
        return { build_id: id, batch: null, contracts: [], detail: "This build has pinned no contracts." };
      return { build_id: id, batch, pinned_at: new Date(pinned_at).toISOString(), contracts };
    });
  }

  /** The newest version of each contract of a project. */
  async #latest(db: Db, project: string) {
    return db
      .selectFrom("governance_contract as own")
      .selectAll()
      .where("team", "=", this.#team)
      .where("project_id", "=", project)
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

  #versions(db: Db, project: string, type: string, version?: number) {
    const query = db
      .selectFrom("governance_contract")
      .selectAll()
      .where("team", "=", this.#team)
      .where("project_id", "=", project)
      .where("contract_type", "=", type)
      .orderBy("version", "desc");
    return version === undefined ? query : query.where("version", "=", version);
  }

  async #countPinned(db: Db, builds: readonly string[]): Promise<Map<string, number>> {
    if (builds.length === 0) return new Map();
    const rows = await db
      .selectFrom("governance_build_contract")
      .select(({ fn }) => ["build_id", fn.countAll<number>().as("count")])
      .where("team", "=", this.#team)
      .where("build_id", "in", builds)
      .groupBy("build_id")
      .execute();
    return new Map(rows.map(({ build_id, count }) => [build_id, Number(count)]));
  }

  #find(db: Db, id: string) {
    return db
      .selectFrom("governance_project")
      .selectAll()
      .where("team", "=", this.#team)
      .where("id", "=", id)
      .executeTakeFirst();
  }

  async #require(db: Db, id: string) {
    const row = await this.#find(db, id);
    if (row) return row;
    const known = await db
      .selectFrom("governance_project")
      .select("id")
      .where("team", "=", this.#team)
      .limit(limits.listed)
      .execute();
    throw projectNotFound(
      id,
      known.map((project) => project.id),
    );
  }

  async #requireBuild(db: Db, id: string): Promise<BuildTable> {
    const row = await db
      .selectFrom("governance_build")
      .selectAll()
      .where("team", "=", this.#team)
      .where("id", "=", id)
      .executeTakeFirst();
    if (!row) throw buildNotFound(id);
    return row;
  }

  async #commit(tx: Tx, by: Actor, project: string): Promise<void> {
    by.record.about.push(`project:${project}`);
    await this.#ledger.commit(tx, by.record);
  }
}

function describeBuild(row: BuildTable, contracts: number): BuildFacts {
  return {
    build_id: row.id,
    project_id: row.project_id,
    batch: row.batch,
    status: row.status === "closed" ? "closed" : "open",
    pinned_at: new Date(row.pinned_at).toISOString(),
    ...(row.closed_at !== null && { closed_at: new Date(row.closed_at).toISOString() }),
    contracts,
  };
}
