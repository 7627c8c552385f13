import { type RawBuilder, sql } from "kysely";
import { foldShown, foldText } from "../../../../commons/search/words.ts";
import { type TaskStatus, taskStatuses } from "../../model/limits.ts";
import type { Db } from "./board-store.ts";
import type { BlockRow, SummaryRow } from "./rows.ts";

export type TaskQuery = {
  block: number | undefined;
  statuses: readonly TaskStatus[] | undefined;
  after: number;
  limit: number;
};

const columns = sql.raw(
  "seq, block, id, name, status, revision, (select id from block where block.seq = task.block) as block_id",
);

/**
 * In board order. One query for each status: the database then reads a page from an index and sorts nothing, however many tasks
 * there are.
 */
export function readTaskRows(db: Db, query: TaskQuery): Promise<SummaryRow[]> {
  return mergeStatuses(query, (status) => taskRowsQuery(query, status), db);
}

export function taskRowsQuery(
  { block, after, limit }: TaskQuery,
  status: TaskStatus | undefined,
): RawBuilder<SummaryRow> {
  return sql<SummaryRow>`select ${columns} from task where ${scopeCondition(block, status)} seq > ${after}
    order by seq limit ${limit}`;
}

/** The same for tasks that wait for others, or for none. */
export function readWaitingRows(db: Db, query: TaskQuery & { statuses: readonly TaskStatus[]; waits: 0 | 1 }) {
  return mergeStatuses(query, (status) => waitingRowsQuery(query, status), db);
}

export function waitingRowsQuery(
  { block, after, limit, waits }: TaskQuery & { waits: 0 | 1 },
  status: TaskStatus | undefined,
) {
  return sql<SummaryRow>`select ${columns} from task where ${scopeCondition(block, status)} waits = ${waits} and seq > ${after}
    order by seq limit ${limit}`;
}

export type SearchRow = SummaryRow & { document: string };

/** The same with their content. */
export function readSearchRows(db: Db, query: TaskQuery): Promise<SearchRow[]> {
  const { block, after, limit } = query;
  const ask = (status: TaskStatus | undefined) => sql<SearchRow>`
    select ${columns}, document from task where ${scopeCondition(block, status)} seq > ${after} order by seq limit ${limit}`;
  return mergeStatuses(query, ask, db);
}

/** By their numbers, those that match the query. */
export async function readRowsBySeq(
  db: Db,
  { block, statuses }: Pick<TaskQuery, "block" | "statuses">,
  seqs: readonly number[],
): Promise<SearchRow[]> {
  if (seqs.length === 0) return [];
  const { rows } = await sql<SearchRow>`
    select ${columns}, document from task where seq in (${sql.join(seqs)}) order by seq`.execute(db);
  return rows.filter(
    (row) =>
      (block === undefined || row.block === block) &&
      (statuses === undefined || statuses.some((status) => status === row.status)),
  );
}

function scopeCondition(block: number | undefined, status: TaskStatus | undefined): RawBuilder<unknown> {
  return sql`${block === undefined ? sql`` : sql`block = ${block} and`} ${status === undefined ? sql`` : sql`status = ${status} and`}`;
}

async function mergeStatuses<Row extends { seq: number }>(
  { block, statuses, limit }: TaskQuery,
  ask: (status: TaskStatus | undefined) => RawBuilder<Row>,
  db: Db,
): Promise<Row[]> {
  if (block === undefined && statuses === undefined) return (await ask(undefined).execute(db)).rows;
  const rows: Row[] = [];
  for (const status of new Set(statuses ?? taskStatuses)) rows.push(...(await ask(status).execute(db)).rows);
  return rows.sort((a, b) => a.seq - b.seq).slice(0, limit);
}

type BlockStatus = "active" | "completed" | "failed";

export type BlockQuery = {
  text: string | undefined;
  standing: BlockStatus | undefined;
  hasTasks: boolean | undefined;
};

const countCondition = (condition: string) =>
  `exists (select 1 from task_count c where c.block = block.seq and c.count > 0 ${condition})`;
const statusConditions: Record<BlockStatus, string> = {
  failed: countCondition("and c.status = 'failed'"),
  completed: `${countCondition("")} and not ${countCondition("and c.status <> 'completed'")}`,
  active: `not ${countCondition("and c.status = 'failed'")} and (not ${countCondition("")} or ${countCondition("and c.status <> 'completed'")})`,
};

function blockCondition({ text, standing, hasTasks }: BlockQuery): RawBuilder<unknown> {
  const conditions = [
    ...(standing === undefined ? [] : [sql.raw(statusConditions[standing])]),
    ...(hasTasks === undefined ? [] : [sql.raw(`${hasTasks ? "" : "not "}${countCondition("")}`)]),
    ...(text === undefined ? [] : [textCondition(text)]),
  ];
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
}

/** In the id, the name or the content; documents are JSON, so the text is looked for in its JSON form. */
function textCondition(text: string): RawBuilder<unknown> {
  const plain = text.toLowerCase();
  const inJson = JSON.stringify(plain).slice(1, -1);
  const pattern = (word: string) => `%${word.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
  return sql`(lower(id || ' ' || name) like ${pattern(plain)} escape '\\' or lower(document) like ${pattern(inJson)} escape '\\')`;
}

export async function readBlockRows(db: Db, query: BlockQuery, after: number, limit: number): Promise<BlockRow[]> {
  if (query.text !== undefined) return (await findBlocks(db, query, query.text, after)).slice(0, limit);
  const { rows } = await sql<BlockRow>`
    select * from block where ${blockCondition(query)} and seq > ${after} order by seq limit ${limit}`.execute(db);
  return rows;
}

export async function countBlocks(db: Db, query: BlockQuery): Promise<number> {
  if (query.text !== undefined) return (await findBlocks(db, query, query.text, 0)).length;
  const { rows } = await sql<{ count: number | string }>`
    select count(*) as count from block where ${blockCondition(query)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** Those that contain the text where it is shown: a part of a secret is not found. */
async function findBlocks(db: Db, query: BlockQuery, text: string, after: number): Promise<BlockRow[]> {
  const { rows } = await sql<BlockRow>`
    select * from block where ${blockCondition(query)} and seq > ${after} order by seq`.execute(db);
  const [plain, inJson] = [foldText(text), foldText(JSON.stringify(text).slice(1, -1))];
  return rows.filter(
    ({ id, name, document }) => foldShown(`${id} ${name}`).includes(plain) || foldShown(document).includes(inJson),
  );
}
