import { type Expression, type SqlBool, sql, type Transaction } from "kysely";
import {
  createPostgresQuery,
  createSqliteQuery,
  extractWords,
  formatIndexText,
  parseQueryWords,
} from "../../../commons/search/words.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Engine } from "../../../platform/db/types.ts";
import type { PackageTable, RegistryTables, VersionTable } from "./schema.ts";

type Stored<T> = { [key in keyof T]: T[key] extends { __select__: infer Select } ? Select : T[key] };
export type PackageRow = Omit<Stored<PackageTable>, "seq"> & { seq: number };
export type PackageKind = "plugin" | "agent" | "tool";

export type SearchRequest = { query: string; kind: PackageKind; tags: string[]; page: number; pageSize: number };
/** A search looks at this many matches, the newest ones, and ranks those by their downloads. */
const maxMatches = 1_000;

/** Rows of packages and their versions. */
export class PackageStore {
  readonly #database: Database<RegistryTables>;

  constructor(database: Database<unknown>) {
    this.#database = database.forTables<RegistryTables>();
  }

  transaction<T>(work: (tx: Transaction<RegistryTables>) => Promise<T>): Promise<T> {
    return this.#database.transaction(work);
  }

  find(kind: PackageKind, name: string): Promise<PackageRow | undefined> {
    return this.#database.read((db) =>
      db
        .selectFrom("registry_package")
        .selectAll()
        .where("kind", "=", kind)
        .where("name", "=", name)
        .executeTakeFirst(),
    );
  }

  versionsOf({ seq }: PackageRow): Promise<VersionTable[]> {
    return this.#database.read((db) =>
      db.selectFrom("registry_version").selectAll().where("package", "=", seq).execute(),
    );
  }

  versionOf({ seq }: PackageRow, version: string): Promise<VersionTable | undefined> {
    return this.#database.read((db) =>
      db
        .selectFrom("registry_version")
        .selectAll()
        .where("package", "=", seq)
        .where("version", "=", version)
        .executeTakeFirst(),
    );
  }

  async search({ query, kind, tags, page, pageSize }: SearchRequest): Promise<{ rows: PackageRow[]; total: number }> {
    const words = parseQueryWords(query);
    const matching = words.length === 0 ? undefined : matchesIn(this.#database.engine, words);
    return this.#database.read(async (db) => {
      let found = db.selectFrom("registry_package").where("latest", "is not", null);
      // Starting from the few that match: by its index on kind and downloads, SQLite would look at every package instead.
      found = matching
        ? found.where(matching).where(sql<SqlBool>`coalesce(kind, '') = ${kind}`)
        : found.where("kind", "=", kind);
      if (tags.length > 0)
        found = found.where((is) =>
          is.or(tags.map((tag) => sql<SqlBool>`tags like ${`%${escapeLike(JSON.stringify(tag))}%`} escape '!'`)),
        );
      const rows = await found
        .selectAll()
        .orderBy(matching ? sql`downloads + 0` : "downloads", "desc")
        .orderBy("name")
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute();
      if (page === 1 && rows.length < pageSize) return { rows, total: rows.length };
      const counted = await found.select((is) => is.fn.countAll<number>().as("count")).executeTakeFirst();
      return { rows, total: Number(counted?.count ?? 0) };
    });
  }

  async countDownload({ seq }: PackageRow): Promise<void> {
    await this.transaction(async (tx) => {
      await tx
        .updateTable("registry_package")
        .set((is) => ({ downloads: is("downloads", "+", 1) }))
        .where("seq", "=", seq)
        .execute();
    });
  }

  /** Replaces the words that a package is found by. */
  async index(tx: Transaction<RegistryTables>, seq: number, texts: readonly string[]): Promise<void> {
    const words = formatIndexText(extractWords(texts));
    if (this.#database.engine === "sqlite") {
      await sql`delete from registry_search where rowid = ${seq}`.execute(tx);
      await sql`insert into registry_search (rowid, words) values (${seq}, ${words})`.execute(tx);
      return;
    }
    await sql`insert into registry_search (seq, words) values (${seq}, array_to_tsvector(string_to_array(${words}, ' ')))
      on conflict (seq) do update set words = excluded.words`.execute(tx);
  }
}

function matchesIn(engine: Engine, words: readonly string[]): Expression<SqlBool> {
  if (engine === "sqlite")
    return sql<SqlBool>`seq in (select rowid from registry_search where registry_search match ${createSqliteQuery(words)}
      order by rowid desc limit ${sql.lit(maxMatches)})`;
  return sql<SqlBool>`seq in (select seq from registry_search where words @@ ${createPostgresQuery(words)}::tsquery
    order by seq desc limit ${sql.lit(maxMatches)})`;
}

function escapeLike(text: string): string {
  return text.replace(/[%_!]/g, "!$&");
}
