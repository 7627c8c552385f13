import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { Ledger } from "../../../commons/ledger/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { Database } from "../../../platform/db/database.ts";
import { limits } from "../model/limits.ts";
import type { BuildContracts, BuildFacts, BuildStore } from "../model/project.ts";
import type { BuildTable, GovernanceTables } from "../store/schema.ts";
import { buildNotFound, nothingToPin } from "./errors.ts";
import { type Db, latestContracts, requireProject } from "./project-queries.ts";

type LocalBuildsOptions = {
  database: Database<unknown>;
  ledger: Pick<Ledger, "commit">;
  team?: string;
  now?: () => number;
};

/** Builds in the project's own store, or a team's on its server. */
export class LocalBuilds implements BuildStore {
  readonly #database: Database<GovernanceTables>;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #team: string;
  readonly #now: () => number;

  constructor({ database, ledger, team = "", now = Date.now }: LocalBuildsOptions) {
    this.#database = database.forTables<GovernanceTables>();
    this.#ledger = ledger;
    this.#team = team;
    this.#now = now;
  }

  start(by: Actor, project: string): Promise<BuildFacts> {
    const team = this.#team;
    const start = async (tx: Transaction<GovernanceTables>) => {
      await requireProject(tx, team, project);
      const contracts = await latestContracts(tx, team, project);
      if (contracts.length === 0) throw nothingToPin(project);
      const last = await tx
        .selectFrom("governance_build")
        .select("batch")
        .where((where) => where.and({ team, project_id: project }))
        .orderBy("batch", "desc")
        .limit(1)
        .executeTakeFirst();
      const build: BuildTable = {
        ...{ team, id: randomUUID(), project_id: project, batch: (last?.batch ?? 0) + 1, status: "open" },
        ...{ pinned_at: this.#now(), closed_at: null, created_by: by.principal.name },
      };
      await tx.insertInto("governance_build").values(build).execute();
      const pinned = contracts.map(({ contract_type, version, content }) => {
        return { team, build_id: build.id, contract_type, version, content };
      });
      await tx.insertInto("governance_build_contract").values(pinned).execute();
      by.record.about.push(`build:${build.id}`, `project:${project}`);
      await this.#ledger.commit(tx, by.record);
      return describeBuild(build, pinned.length);
    };
    // It copies megabytes.
    return this.#database.transaction(start, { isLong: true });
  }

  async list(project: string): Promise<BuildFacts[]> {
    return this.#database.read(async (db) => {
      await requireProject(db, this.#team, project);
      const rows = await db
        .selectFrom("governance_build")
        .selectAll()
        .where((where) => where.and({ team: this.#team, project_id: project }))
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

  async get(id: string): Promise<BuildFacts> {
    return this.#database.read(async (db) => {
      const row = await this.#require(db, id);
      return describeBuild(row, (await this.#countPinned(db, [id])).get(id) ?? 0);
    });
  }

  close(by: Actor, id: string): Promise<BuildFacts> {
    return this.#database.transaction(async (tx) => {
      const row = await this.#require(tx, id);
      const count = (await this.#countPinned(tx, [id])).get(id) ?? 0;
      if (row.status === "closed") return describeBuild(row, count);
      const closed = { status: "closed", closed_at: this.#now() };
      const own = { team: this.#team, id };
      await tx
        .updateTable("governance_build")
        .set(closed)
        .where((where) => where.and(own))
        .execute();
      by.record.about.push(`build:${id}`, `project:${row.project_id}`);
      await this.#ledger.commit(tx, by.record);
      return describeBuild({ ...row, ...closed }, count);
    });
  }

  async contracts(id: string): Promise<BuildContracts> {
    return this.#database.read(async (db) => {
      const { batch, pinned_at } = await this.#require(db, id);
      const contracts = await db
        .selectFrom("governance_build_contract")
        .select(["contract_type", "content"])
        .where((where) => where.and({ team: this.#team, build_id: id }))
        .orderBy("contract_type")
        .execute();
      if (contracts.length === 0)
        return { build_id: id, batch: null, contracts: [], detail: "This build has pinned no contracts." };
      return { build_id: id, batch, pinned_at: new Date(pinned_at).toISOString(), contracts };
    });
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

  async #require(db: Db, id: string): Promise<BuildTable> {
    const query = db.selectFrom("governance_build").selectAll();
    const row = await query.where((where) => where.and({ team: this.#team, id })).executeTakeFirst();
    if (!row) throw buildNotFound(id);
    return row;
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
