import { CompiledQuery, type RawBuilder, sql } from "kysely";
import {
  createPostgresQuery,
  createSqliteQuery,
  extractWords,
  formatIndexText,
} from "../../../../commons/search/words.ts";
import type { Engine } from "../../../../platform/db/types.ts";
import type { Db, Tx } from "./board-store.ts";
import { splitIntoChunks } from "./chunks.ts";
import { parseTaskContent } from "./documents.ts";
import type { TaskRow } from "./rows.ts";

type SearchableTask = Pick<TaskRow, "id" | "name" | "document">;

/** The texts of a task that are searched. */
export function searchableTexts({ id, name, document }: SearchableTask): string[] {
  const { description, acceptance_criteria, files_affected, ...others } = parseTaskContent(document);
  const said = [id, name, description, ...acceptance_criteria, ...files_affected];
  return [...said, ...others.function_signatures, ...others.testing_requirements];
}

function searchableWords(task: SearchableTask): string {
  return formatIndexText(extractWords(searchableTexts(task)));
}

const postgresUpsert = `insert into task_search (seq, words)
  select seq, array_to_tsvector(string_to_array(words, ' '))
  from json_to_recordset($1::json) as given (seq bigint, words text)
  on conflict (seq) do update set words = excluded.words`;

/** Indexes tasks with their current text. */
export async function indexTasks(
  tx: Tx,
  engine: Engine,
  tasks: readonly (SearchableTask & { seq: number })[],
): Promise<void> {
  for (const some of splitIntoChunks(tasks)) {
    const rows = some.map((task) => ({ seq: task.seq, words: searchableWords(task) }));
    const query =
      engine === "postgres"
        ? CompiledQuery.raw(postgresUpsert, [JSON.stringify(rows)])
        : CompiledQuery.raw(
            `insert or replace into task_search (rowid, words) values ${rows.map(() => "(?, ?)").join(", ")}`,
            rows.flatMap(({ seq, words }) => [seq, words]),
          );
    await tx.executeQuery(query);
  }
}

/** The same after a change, if the words differ. */
export async function reindexTask(
  tx: Tx,
  engine: Engine,
  before: TaskRow,
  changes: Partial<SearchableTask>,
): Promise<void> {
  const { name = before.name, document = before.document } = changes;
  if (name === before.name && document === before.document) return;
  const now = { ...before, name, document };
  if (searchableWords(now) !== searchableWords(before)) await indexTasks(tx, engine, [now]);
}

/** All tasks, a page at a time. */
export async function indexAllTasks(tx: Tx, engine: Engine): Promise<void> {
  const page = 500;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { rows }: { rows: (SearchableTask & { seq: number })[] } = await sql<SearchableTask & { seq: number }>`
      select seq, id, name, document from task where seq > ${after} order by seq limit ${page}`.execute(tx);
    await indexTasks(tx, engine, rows);
    after = rows.length < page ? undefined : rows.at(-1)?.seq;
  }
}

export type PageStart = { after: number; limit: number };

/** The numbers of tasks that have words beginning with all of these, in board order. */
export function matchQuery(
  engine: Engine,
  words: readonly string[],
  { after, limit }: PageStart,
): RawBuilder<{ seq: number }> {
  if (engine === "sqlite")
    return sql`select rowid as seq from task_search where task_search match ${createSqliteQuery(words)} and rowid > ${after}
      order by rowid limit ${limit}`;
  return sql`select seq from task_search where words @@ ${createPostgresQuery(words)}::tsquery and seq > ${after}
    order by seq limit ${limit}`;
}

export async function countMatching(db: Db, engine: Engine, words: readonly string[]): Promise<number> {
  const isMatch =
    engine === "sqlite"
      ? sql`task_search match ${createSqliteQuery(words)}`
      : sql`words @@ ${createPostgresQuery(words)}::tsquery`;
  const { rows } = await sql<{ count: number }>`select count(*) as count from task_search where ${isMatch}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

export async function findMatching(
  db: Db,
  engine: Engine,
  words: readonly string[],
  place: PageStart,
): Promise<number[]> {
  const { rows } = await matchQuery(engine, words, place).execute(db);
  return rows.map(({ seq }) => Number(seq));
}
