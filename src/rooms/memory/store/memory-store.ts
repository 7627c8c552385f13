import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
  type Transaction,
} from "kysely";
import type { Database } from "../../../platform/db/database.ts";
import type { Collection, Memory, Origin } from "../model/memory.ts";
import type { ScanRows } from "../recall/memory-scan.ts";
import { packedLength } from "../recall/packed-vector.ts";
import type { MemoryTable, MemoryTables } from "./schema.ts";

export type MemoryTx = Transaction<MemoryTables>;

export type MemoryRow = Selectable<MemoryTable>;

/**
 * What the scan needs of rows: a driver takes longer to make an object of each of them than SQL takes to read all of their columns as
 * one value each.
 */
export type ChangedRows = ScanRows & {
  /** The change that the last of them was. */
  change: number;
  /** Those that were deleted. */
  gone: number[];
};

/** The model that vectors are made with, and how many numbers each has. */
type VectorKind = { model: string; dimensions: number };

export type NewMemoryRow = Omit<MemoryRow, "seq" | "project" | "change">;

/** The memories of one project in SQL, for both engines. */
export class MemoryStore {
  readonly database: Database<MemoryTables>;
  readonly project: string;

  constructor(database: Database<unknown>, project: string) {
    this.database = database.forTables<MemoryTables>();
    // A file is one project's own; a database may hold several.
    this.project = database.engine === "sqlite" ? "" : project;
  }

  find(tx: MemoryTx, id: string): Promise<MemoryRow | undefined> {
    return tx
      .selectFrom("memory")
      .selectAll()
      .where("project", "=", this.project)
      .where("id", "=", id)
      .executeTakeFirst();
  }

  async put(tx: MemoryTx, row: NewMemoryRow): Promise<void> {
    const change = await this.#countChange(tx);
    await tx
      .insertInto("memory")
      .values({ ...row, project: this.project, change })
      .onConflict((conflict) => conflict.columns(["project", "id"]).doUpdateSet({ ...row, change }))
      .execute();
  }

  async update(tx: MemoryTx, seq: number, columns: Partial<NewMemoryRow>): Promise<void> {
    const change = await this.#countChange(tx);
    await tx
      .updateTable("memory")
      .set({ ...columns, change })
      .where("seq", "=", seq)
      .execute();
  }

  async currentChange(): Promise<number> {
    const row = await this.database.read((db) =>
      db.selectFrom("memory_state").select("change").where("project", "=", this.project).executeTakeFirst(),
    );
    return Number(row?.change ?? 0);
  }

  /** Oldest change first; undefined where nothing was changed. */
  async changedSince(change: number, model: string, limit: number): Promise<ChangedRows | undefined> {
    const isSqlite = this.database.engine === "sqlite";
    const list = <Column extends string>(column: Column) =>
      (isSqlite ? sql<unknown>`json_group_array(${sql.ref(column)})` : sql<unknown>`json_agg(${sql.ref(column)})`).as(
        column,
      );
    const joinColumn = <Column extends string>(column: Column) =>
      (isSqlite
        ? sql<Uint8Array | null>`cast(group_concat(${sql.ref(column)}, '') as blob)`
        : sql<Uint8Array | null>`string_agg(${sql.ref(column)}, ''::bytea)`
      ).as(column);
    const usable = sql<Uint8Array | null>`case when model = ${model} and deleted_at is null then vector end`;
    // Others than Forge may have written a part of a word.
    const whole = sql<Uint8Array | null>`case when length(terms) % 4 = 0 then terms end`;
    const sizeOf = (bytes: RawBuilder<Uint8Array | null>) => sql<number>`coalesce(length(${bytes}), 0)`;
    const row = await this.database.read((db) =>
      db
        .selectFrom(
          db
            .selectFrom("memory")
            .select(["seq", "type", "agent", "change", usable.as("vector"), whole.as("terms")])
            .select(sql<number>`case when deleted_at is null then 0 else seq end`.as("gone"))
            .select([sizeOf(usable).as("vector_size"), sizeOf(whole).as("term_size")])
            .where("project", "=", this.project)
            .where("change", ">", change)
            .orderBy("change")
            .limit(limit)
            .as("changed"),
        )
        .select((eb) => eb.fn.max("changed.change").as("change"))
        .select([list("seq"), list("type"), list("agent"), list("gone"), list("vector_size"), list("term_size")])
        .select([joinColumn("vector"), joinColumn("terms")])
        .executeTakeFirstOrThrow(),
    );
    if (row.change === null) return undefined;
    const parseList = (value: unknown) => (typeof value === "string" ? JSON.parse(value) : value);
    return {
      change: Number(row.change),
      seqs: parseList(row.seq),
      types: parseList(row.type),
      agents: parseList(row.agent),
      gone: parseList(row.gone).filter((seq: number) => seq > 0),
      vectorSizes: parseList(row.vector_size),
      vectors: row.vector ?? new Uint8Array(),
      termSizes: parseList(row.term_size),
      terms: row.terms ?? new Uint8Array(),
    };
  }

  async bySeq(seqs: readonly number[]): Promise<Map<number, Memory>> {
    if (seqs.length === 0) return new Map();
    const rows = await this.database.read((db) =>
      db.selectFrom("memory").selectAll().where("seq", "in", seqs).where("deleted_at", "is", null).execute(),
    );
    return new Map(rows.map((row) => [Number(row.seq), toMemory(row)]));
  }

  /** Newest first. */
  page(filter: MemoryFilter): Promise<MemoryRow[]> {
    return this.database.read((db) => {
      let rows = db
        .selectFrom("memory")
        .selectAll()
        .where("project", "=", this.project)
        .where("deleted_at", "is", null)
        .orderBy("seq", "desc")
        .limit(filter.limit);
      if (filter.type !== undefined) rows = rows.where("type", "=", filter.type);
      if (filter.agent !== undefined) rows = rows.where("agent", "=", filter.agent);
      if (filter.before !== undefined) rows = rows.where("seq", "<", filter.before);
      return rows.execute();
    });
  }

  /** Memories without a vector like this, oldest first. */
  staleRows(wanted: VectorKind, limit: number): Promise<Pick<MemoryRow, "seq" | "text">[]> {
    return this.database.read((db) =>
      db
        .selectFrom("memory")
        .select(["seq", "text"])
        .where("project", "=", this.project)
        .where("deleted_at", "is", null)
        .where((where) => isStale(where, wanted))
        .orderBy("seq")
        .limit(limit)
        .execute(),
    );
  }

  async countStale(wanted: VectorKind): Promise<number> {
    const { count } = await this.database.read((db) =>
      db
        .selectFrom("memory")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("project", "=", this.project)
        .where("deleted_at", "is", null)
        .where((where) => isStale(where, wanted))
        .executeTakeFirstOrThrow(),
    );
    return Number(count);
  }

  /** What a store outside this database does not have yet: also what it has to forget. */
  unsharedRows(limit: number): Promise<MemoryRow[]> {
    return this.database.read((db) =>
      db
        .selectFrom("memory")
        .selectAll()
        .where("project", "=", this.project)
        .where("is_shared", "=", 0)
        .orderBy("seq")
        .limit(limit)
        .execute(),
    );
  }

  /** What was changed since it was read stays to be sent. */
  async markShared(rows: readonly Pick<MemoryRow, "seq" | "change">[]): Promise<void> {
    if (rows.length === 0) return;
    const seqs = rows.map(({ seq }) => seq);
    const latest = Math.max(...rows.map(({ change }) => Number(change)));
    await this.database.transaction(async (tx) => {
      await tx
        .updateTable("memory")
        .set({ is_shared: 1 })
        .where("seq", "in", seqs)
        .where("change", "<=", latest)
        .execute();
    });
  }

  /** Counted under the row's lock, so that changes become visible in the order of their numbers. */
  async #countChange(tx: MemoryTx): Promise<number> {
    const { change } = await tx
      .insertInto("memory_state")
      .values({ project: this.project, change: 1 })
      .onConflict((conflict) =>
        conflict.column("project").doUpdateSet((eb) => ({ change: eb("memory_state.change", "+", 1) })),
      )
      .returning("change")
      .executeTakeFirstOrThrow();
    return Number(change);
  }
}

export type MemoryFilter = {
  type?: Collection | undefined;
  agent?: string | undefined;
  before?: number | undefined;
  limit: number;
};

function isStale(
  where: ExpressionBuilder<MemoryTables, "memory">,
  { model, dimensions }: VectorKind,
): Expression<SqlBool> {
  const isOfAnotherLength = sql<SqlBool>`length(vector) <> ${packedLength(dimensions)}`;
  return where.or([where("model", "is", null), where("model", "<>", model), isOfAnotherLength]);
}

export function toMemory(row: MemoryRow): Memory {
  return {
    id: row.id,
    historicId: row.historic_id,
    type: row.type as Collection,
    agent: row.agent,
    text: row.text,
    tags: JSON.parse(row.tags),
    origin: row.origin as Origin,
    isDerived: row.is_derived === 1,
    writtenBy: row.written_by,
    source: row.source ?? undefined,
    createdAt: Number(row.created_at),
  };
}
