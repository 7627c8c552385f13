import { type RawBuilder, type SqlBool, sql, type Transaction } from "kysely";
import { createLimitedQuery } from "../../../commons/search/limited-query.ts";
import {
  createAnyQuery,
  createPostgresQuery,
  extractWords,
  formatIndexText,
  parseQueryWords,
} from "../../../commons/search/words.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Engine, Reads } from "../../../platform/db/types.ts";
import { packageFull } from "./errors.ts";
import type { PackageTable, RegistryTables, VersionTable } from "./schema.ts";

type Stored<T> = { [key in keyof T]: T[key] extends { __select__: infer Select } ? Select : T[key] };
export type PackageRow = Omit<Stored<PackageTable>, "seq"> & { seq: number };
/** What lists show of a package. */
export type FoundPackage = Omit<PackageRow, "seq" | "serial">;
export type PackageKind = "plugin" | "agent" | "tool";

type Db = Reads<RegistryTables>;
type FoundPage = { rows: FoundPackage[]; total: number };
export type SearchRequest = { query: string; kind: PackageKind; tags: string[]; page: number; pageSize: number };
/** Of one package: its versions, and the characters of all their manifests. */
const maxListed = { versions: 5_000, manifests: 10_000_000 };
const versionFacts = [
  ...(["package", "version", "integrity", "blob", "size", "signature"] as const),
  ...(["published_at", "published_by", "yanked"] as const),
];
/** A search looks at this many matches, the newest ones, and ranks those by their downloads. */
const maxMatches = 1_000;

/** Rows of packages and their versions. */
export class PackageStore {
  readonly #database: Database<RegistryTables>;

  constructor(database: Database<unknown>) {
    this.#database = database.forTables<RegistryTables>();
  }

  /** Long where a package has many parts. */
  transaction<T>(work: (tx: Transaction<RegistryTables>) => Promise<T>): Promise<T> {
    return this.#database.transaction(work, { isLong: true });
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

  /** Only those of a plugin with their documents: they say what it depends on, while those of its parts are long. */
  versionsOf({ seq, kind }: PackageRow): Promise<(Omit<VersionTable, "document"> & { document?: string })[]> {
    return this.#database.read((db) => {
      const versions = db.selectFrom("registry_version").where("package", "=", seq);
      return kind === "plugin" ? versions.selectAll().execute() : versions.select(versionFacts).execute();
    });
  }

  /** Throws if all versions of a package would be more than one answer can list. */
  async requireRoom(tx: Transaction<RegistryTables>, { seq, name }: Pick<PackageRow, "seq" | "name">): Promise<void> {
    const { count, length } = await tx
      .selectFrom("registry_version")
      .select(({ fn }) => [fn.countAll<number>().as("count"), sql<number | null>`sum(length(document))`.as("length")])
      .where("package", "=", seq)
      .executeTakeFirstOrThrow();
    const { versions, manifests } = maxListed;
    if (Number(count) >= versions || Number(length ?? 0) > manifests) throw packageFull(name, versions, manifests);
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

  async search(request: SearchRequest): Promise<FoundPage> {
    const { query, tags } = request;
    const words = parseQueryWords(query);
    const { engine } = this.#database;
    if (words.length > 0 && engine === "sqlite")
      return this.#match(request, (db) => createLimitedQuery(db, "registry_search", words));
    if (words.length > 0) return this.#match(request, async () => createPostgresQuery(words));
    if (tags.length === 0) return this.#list(request);
    // To look at the tags of all packages would take as long as somebody has published many.
    const named = tags.map((tag) => extractWords([tag])).filter((own) => own.length > 0);
    return named.length === 0
      ? { rows: [], total: 0 }
      : this.#match(request, async () => createAnyQuery(engine, named));
  }

  /**
   * One query, which starts from the few that match: only what they are ranked by is read of them all, the rest of those on the
   * page. In two queries, with all columns, a search took twice as long.
   */
  async #match(request: SearchRequest, makeMatch: (db: Db) => Promise<string>): Promise<FoundPage> {
    const { kind, tags, page, pageSize } = request;
    const { engine } = this.#database;
    const found = await this.#database.read(async (db) => {
      const match = await makeMatch(db);
      return sql<FoundPackage & { total: number }>`
        with matching as materialized (
          select p.seq, p.downloads, p.name
          from (${matchesIn(engine, match)}) as match cross join registry_package as p
          where p.seq = match.seq and p.latest is not null and p.kind = ${kind} and ${hasAnyTag(engine, tags)}
        )
        select p.kind, p.name, p.plugin, p.description, p.author, p.tags, p.latest, p.downloads, p.updated_at,
          (select count(*) from matching) as total
        from (select * from matching order by downloads desc, name limit ${pageSize} offset ${(page - 1) * pageSize}) as ranked
          cross join registry_package as p
        where p.seq = ranked.seq
        order by ranked.downloads desc, ranked.name`.execute(db);
    });
    const [first] = found.rows;
    if (!first && page > 1) return { rows: [], total: (await this.#match({ ...request, page: 1 }, makeMatch)).total };
    return { rows: found.rows, total: Number(first?.total ?? 0) };
  }

  async #list({ kind, page, pageSize }: SearchRequest): Promise<FoundPage> {
    return this.#database.read(async (db) => {
      const found = db.selectFrom("registry_package").where("latest", "is not", null).where("kind", "=", kind);
      const rows = await found
        .selectAll()
        .orderBy("downloads", "desc")
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
    await this.#database.transaction(async (tx) => {
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

/** The numbers of the packages that match. */
function matchesIn(engine: Engine, match: string): RawBuilder<unknown> {
  if (engine === "sqlite")
    return sql`select rowid as seq from registry_search where registry_search match ${match}
      order by rowid desc limit ${sql.lit(maxMatches)}`;
  return sql`select seq from registry_search where words @@ ${match}::tsquery
    order by seq desc limit ${sql.lit(maxMatches)}`;
}

function hasAnyTag(engine: Engine, tags: readonly string[]): RawBuilder<SqlBool> {
  if (tags.length === 0) return sql<SqlBool>`1 = 1`;
  // SQLite keeps everybody waiting, and a pattern can nearly fit at each of 10,000 places of a package's tags.
  if (engine === "sqlite")
    return sql<SqlBool>`exists (select 1 from json_each(p.tags) where value collate nocase in (${sql.join(tags)}))`;
  const each = tags.map((tag) => sql`tags like ${`%${escapeLike(JSON.stringify(tag))}%`} escape '!'`);
  return sql<SqlBool>`(${sql.join(each, sql` or `)})`;
}

function escapeLike(text: string): string {
  return text.replace(/[%_!]/g, "!$&");
}
