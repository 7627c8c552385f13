import { type Kysely, sql, type Transaction } from "kysely";
import { ForgeError } from "../../../kernel/errors.ts";
import { parseDatabaseUrl } from "../../../platform/db/postgres/database-url.ts";
import { explainPostgres } from "../../../platform/db/postgres/errors.ts";
import { openSideDatabase } from "../../../platform/db/postgres/side-database.ts";
import { limits } from "../model/limits.ts";
import { type Collection, collections, type Memory } from "../model/memory.ts";
import { textWeight } from "../recall/memory-scan.ts";
import { unpackVector, unquantize } from "../recall/packed-vector.ts";
import { queryTerms } from "../recall/terms.ts";
import type { MemoryRow, MemoryStore } from "../store/memory-store.ts";
import { oldPgvector, pgvectorMissing } from "./errors.ts";
import { preparePgvector } from "./pgvector-schema.ts";
import type { SharedIndex, SharedQuery } from "./shared-index.ts";

type PointTable = {
  project: string;
  id: string;
  historic_id: string;
  type: string;
  agent: string;
  text: string;
  tags: string[];
  written_by: string;
  created_at: number;
  words: number[];
  model: string | null;
  size: number | null;
  embedding: string | null;
};

type PointTables = { "forge_memory.memory": PointTable };

type Found = Omit<PointTable, "project" | "words" | "model" | "size" | "embedding"> & { cosine: number; hits: number };

export type PgvectorOptions = {
  url: string;
  store: MemoryStore;
  appId: string;
  /** The embedder's: only vectors of one model can be compared. */
  model: string;
  warn(message: string): void;
};

const batchSize = 200;
const poolLimits = { connections: 2, connectMs: 3_000, queryMs: 10_000 };
/** More words than this do not make a query clearer. */
const maxWords = 64;
/** Enough that words can change the order of what is near, and that repeated text does not fill the results. */
const leastPool = 64;
const poolFactor = 8;
/** The last moment that a date can be. */
const maxTime = 8.64e15;
/** Longer vectors are compared one by one. */
const maxIndexedSize = 2_000;
/** What is shown of a memory, and how much of it. */
const shownTexts = [
  ["id", limits.idLength],
  ["historic_id", limits.idLength],
  ["agent", limits.agentLength],
  ["text", limits.textLength],
  ["written_by", limits.nameLength],
] as const;

/**
 * Memories in a PostgreSQL database with pgvector, for several machines. The project's own store has everything as well, so nothing is
 * lost while the database cannot be reached.
 */
export class PgvectorIndex implements SharedIndex {
  readonly #options: PgvectorOptions;
  #opening: Promise<Kysely<PointTables>> | undefined;
  #pushing: Promise<boolean> | undefined;
  readonly #indexed = new Set<number>();

  constructor(options: PgvectorOptions) {
    this.#options = options;
  }

  push(): Promise<boolean> {
    this.#pushing ??= this.#pushAll().finally(() => {
      this.#pushing = undefined;
    });
    return this.#pushing;
  }

  async search(query: SharedQuery, signal?: AbortSignal) {
    try {
      const db = await this.#open();
      const terms = queryTerms(query.text).slice(0, maxWords).map(toWord);
      const found = await db.transaction().execute(async (tx) => {
        // Filters come before ranking: the search goes on until enough memories pass them.
        await sql`set local hnsw.iterative_scan = strict_order`.execute(tx);
        const near = await this.#find(tx, query, terms, "meaning");
        const worded = terms.length === 0 ? [] : await this.#find(tx, query, terms, "words");
        return new Map([...worded, ...near].map((row) => [row.id, row]));
      });
      signal?.throwIfAborted();
      return [...found.values()]
        .map((row) => ({ memory: toSharedMemory(row), score: scoreOf(row, terms.length) }))
        .sort((a, b) => b.score - a.score);
    } catch (error) {
      signal?.throwIfAborted();
      this.#complain("searched", error);
      return undefined;
    }
  }

  async stop(): Promise<void> {
    await this.#pushing?.catch(() => undefined);
    await (await this.#opening?.catch(() => undefined))?.destroy();
  }

  async #pushAll(): Promise<boolean> {
    const { store } = this.#options;
    try {
      for (;;) {
        const rows = await store.unsharedRows(batchSize);
        if (rows.length === 0) return true;
        const db = await this.#open();
        for (const size of new Set(rows.flatMap((row) => vectorOf(row)?.length ?? []))) await this.#index(db, size);
        await db.transaction().execute((tx) => this.#write(tx, rows));
        await store.markShared(rows);
      }
    } catch (error) {
      this.#complain("updated", error);
      return false;
    }
  }

  async #write(tx: Transaction<PointTables>, rows: readonly MemoryRow[]): Promise<void> {
    const { appId: project } = this.#options;
    const gone = rows.filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id);
    if (gone.length > 0)
      await tx.deleteFrom("forge_memory.memory").where("project", "=", project).where("id", "in", gone).execute();
    for (const row of rows) {
      if (row.deleted_at !== null) continue;
      const { project: _, id, ...columns } = { ...toPoint(row), project };
      await tx
        .insertInto("forge_memory.memory")
        .values({ project, id, ...columns })
        .onConflict((conflict) => conflict.columns(["project", "id"]).doUpdateSet(columns))
        .execute();
    }
  }

  async #find(
    tx: Transaction<PointTables>,
    query: SharedQuery,
    terms: readonly number[],
    by: "meaning" | "words",
  ): Promise<Found[]> {
    const { appId, model } = this.#options;
    const size = query.vector.length;
    const type = sql.lit(size);
    const wanted = sql`${JSON.stringify(Array.from(query.vector))}::vector(${type})`;
    const distance = sql<number>`embedding::vector(${type}) <=> ${wanted}`;
    // Others may have written a word many times, to come first.
    const hits = sql<number>`(select count(distinct word)::integer from unnest(words) word
      where word = any(${terms}::integer[]))`;
    // They may also have written another size than the vector's.
    const isComparable = sql<boolean>`(size = ${type} and model = ${model} and vector_dims(embedding) = ${type})`;
    let rows = tx
      .selectFrom("forge_memory.memory")
      .select(["type", ...shownTexts.map(([column, most]) => cutText(column, most))])
      .select(cutTags().as("tags"))
      // Others may have written more than an exact number can be.
      .select(sql<number>`created_at::double precision`.as("created_at"))
      .select(sql<number>`case when ${isComparable} then 1 - (${distance}) else 0 end`.as("cosine"))
      .select(hits.as("hits"))
      .where("project", "=", appId)
      // Whatever else is there was not written by Forge.
      .where("type", "in", query.type === undefined ? collections : [query.type])
      .limit(Math.max(leastPool, query.limit * poolFactor));
    if (query.agent !== undefined) rows = rows.where(sql`lower(agent)`, "=", query.agent.toLowerCase());
    rows =
      by === "meaning"
        ? rows.where(sql<boolean>`size = ${type}`).where(isComparable).orderBy(distance)
        : rows.where(sql<boolean>`words && ${terms}::integer[]`).orderBy(hits, "desc").orderBy("id");
    return rows.execute();
  }

  #open(): Promise<Kysely<PointTables>> {
    this.#opening ??= this.#prepare().catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #prepare(): Promise<Kysely<PointTables>> {
    const db = await openSideDatabase<PointTables>(this.#options.url, poolLimits);
    try {
      const version = await preparePgvector(db);
      if (version === undefined) throw pgvectorMissing();
      if (!/^(0\.([89]|\d\d)|[1-9])/.test(version)) throw oldPgvector(version);
      return db;
    } catch (error) {
      await db.destroy();
      throw error;
    }
  }

  /** A graph of neighbours for each length of vector that is in use. */
  async #index(db: Kysely<PointTables>, size: number): Promise<void> {
    if (size > maxIndexedSize || this.#indexed.has(size)) return;
    const name = sql.id(`memory_vector_${size}`);
    await sql`create index if not exists ${name} on forge_memory.memory
      using hnsw ((embedding::vector(${sql.lit(size)})) vector_cosine_ops) where size = ${sql.lit(size)}`.execute(db);
    this.#indexed.add(size);
  }

  #complain(what: string, error: unknown): void {
    const explained = explainPostgres(error, parseDatabaseUrl(this.#options.url));
    const why = explained instanceof ForgeError ? explained.message : "It refused the request.";
    this.#options.warn(`The database with pgvector could not be ${what}; the project's own store is used. ${why}`);
  }
}

function toPoint(row: MemoryRow): Omit<PointTable, "project"> {
  const { id, historic_id, type, agent, text, written_by, created_at, model } = row;
  const vector = vectorOf(row);
  return {
    ...{ id, historic_id, type, agent, text, written_by },
    tags: JSON.parse(row.tags),
    created_at: Number(created_at),
    words: queryTerms(text).map(toWord),
    model: vector ? model : null,
    size: vector?.length ?? null,
    embedding: vector ? JSON.stringify(vector) : null,
  };
}

function vectorOf(row: Pick<MemoryRow, "vector" | "deleted_at">): number[] | undefined {
  const packed = row.vector && row.deleted_at === null ? unpackVector(row.vector) : undefined;
  return packed && packed.factor > 0 ? unquantize(packed) : undefined;
}

/** The database has signed numbers only. */
function toWord(term: number): number {
  return term >>> 4;
}

/** As in the project's own store, but each word counts the same: the database does not know how rare it is. */
function scoreOf({ cosine, hits }: Found, terms: number): number {
  // The distance to a vector of zeros is no number.
  return (Number.isNaN(cosine) ? 0 : cosine) + (terms === 0 ? 0 : (textWeight * hits) / terms);
}

/** Cut where they are stored: a text of another program's may have any size, and there are many in a search. */
function cutText(column: (typeof shownTexts)[number][0], most: number) {
  return sql<string>`left(${sql.ref(column)}, ${sql.lit(most)})`.as(column);
}

function cutTags() {
  const [count, length] = [sql.lit(limits.tags), sql.lit(limits.tagLength)];
  return sql<
    string[]
  >`array(select left(coalesce(tag, ''), ${length}) from unnest(tags[1:${count}]) tag limit ${count})`;
}

/** Always foreign: anyone who can write to the database can claim any name. */
function toSharedMemory(row: Found): Memory {
  return {
    id: row.id.slice(0, limits.idLength),
    historicId: row.historic_id.slice(0, limits.idLength),
    type: row.type as Collection,
    agent: row.agent.slice(0, limits.agentLength),
    text: row.text.slice(0, limits.textLength),
    tags: row.tags.map((tag) => tag.slice(0, limits.tagLength)),
    origin: "file",
    isDerived: false,
    writtenBy: `shared:${row.written_by}`.slice(0, limits.nameLength),
    source: "pgvector",
    createdAt: Math.abs(row.created_at) <= maxTime ? row.created_at : 0,
  };
}
