import { sql, type Transaction } from "kysely";
import type { Reads } from "../../../../platform/db/types.ts";
import type { TaskStatus } from "../../model/limits.ts";
import type { WorkbenchTables } from "../../store/schema.ts";
import { queryInChunks, splitIntoChunks } from "./chunks.ts";
import { type Counts, createCounts, toStatus } from "./rows.ts";

type Db = Reads<WorkbenchTables>;
type Tx = Transaction<WorkbenchTables>;

/**
 * The number of tasks by status, and of those that wait for no other. Stored, because counting takes time on a large board.
 */

type CountKey = { block: number; status: TaskStatus };
export type FreeChange = CountKey & { free: 1 | -1 };
type CountChange = CountKey & { count: number; free: number };

/** A new task counts as waiting for nothing until that is checked. */
export async function countNewTasks(tx: Tx, tasks: readonly CountKey[]): Promise<void> {
  await addCounts(
    tx,
    tasks.map((task) => ({ ...task, count: 1, free: 1 })),
  );
}

/** For a task that has its new status already. */
export async function moveTaskCount(tx: Tx, task: CountKey & { seq: number }, to: TaskStatus): Promise<void> {
  const { seq, block, status } = task;
  if (status === to) return;
  const row = await tx.selectFrom("task").select("waits").where("seq", "=", seq).executeTakeFirst();
  const free = row?.waits === 0 ? 1 : 0;
  await addCounts(tx, [
    { block, status, count: -1, free: -free },
    { block, status: to, count: 1, free },
  ]);
}

export async function moveFreeCounts(tx: Tx, changes: readonly FreeChange[]): Promise<void> {
  await addCounts(
    tx,
    changes.map((change) => ({ ...change, count: 0 })),
  );
}

async function addCounts(tx: Tx, changes: readonly CountChange[]): Promise<void> {
  const ofBlocks = new Map<string, CountChange>();
  const ofAll = new Map<TaskStatus, { status: TaskStatus; count: number; free: number }>();
  for (const { block, status, count, free } of changes) {
    const some = ofBlocks.get(`${block} ${status}`) ?? { block, status, count: 0, free: 0 };
    const all = ofAll.get(status) ?? { status, count: 0, free: 0 };
    ofBlocks.set(`${block} ${status}`, { ...some, count: some.count + count, free: some.free + free });
    ofAll.set(status, { ...all, count: all.count + count, free: all.free + free });
  }
  for (const some of splitIntoChunks([...ofBlocks.values()].filter(isChange)))
    await tx
      .insertInto("task_count")
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(["block", "status"]).doUpdateSet({
          count: sql`task_count.count + excluded.count`,
          free: sql`task_count.free + excluded.free`,
        }),
      )
      .execute();
  const totals = [...ofAll.values()].filter(isChange);
  if (totals.length === 0) return;
  await tx
    .insertInto("task_total")
    .values(totals)
    .onConflict((conflict) =>
      conflict.column("status").doUpdateSet({
        count: sql`task_total.count + excluded.count`,
        free: sql`task_total.free + excluded.free`,
      }),
    )
    .execute();
}

const isChange = ({ count, free }: { count: number; free: number }) => count !== 0 || free !== 0;

/** Tasks that wait for no other, in all blocks or in one. */
export async function readFreeCounts(db: Db, block: number | undefined): Promise<Counts> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, free as count from ${block === undefined ? sql`task_total` : sql`task_count where block = ${block}`}`.execute(
    db,
  );
  return sumCounts(rows);
}

export async function readTotalCounts(db: Db): Promise<Counts> {
  const { rows } = await sql<{ status: string; count: number }>`select status, count from task_total`.execute(db);
  return sumCounts(rows);
}

export async function readBlockCounts(db: Db, blocks: readonly number[]): Promise<Map<number, Counts>> {
  const rows = await queryInChunks(blocks, (some) =>
    db.selectFrom("task_count").select(["block", "status", "count"]).where("block", "in", some).execute(),
  );
  const counts = new Map(blocks.map((block) => [block, createCounts()]));
  for (const { block, status, count } of rows) {
    const of = counts.get(block);
    if (of) of[toStatus(status)] += Number(count);
  }
  return counts;
}

function sumCounts(rows: readonly { status: string; count: number }[]): Counts {
  const counts = createCounts();
  for (const { status, count } of rows) counts[toStatus(status)] += Number(count);
  return counts;
}
