import { sql, type Transaction } from "kysely";
import type { Reads } from "../../../platform/db/types.ts";
import { type TaskStatus, taskStatuses } from "../bounds.ts";
import type { WorkbenchTables } from "../schema.ts";
import { chunksOf, inChunks } from "./chunks.ts";
import { type Counts, noTasks, statusFrom } from "./rows.ts";

type Db = Reads<WorkbenchTables>;
type Tx = Transaction<WorkbenchTables>;

/** How many tasks there are of each status, kept as they change: counting would take as long as there are many. */

export async function countNew(tx: Tx, tasks: readonly { block: number; status: TaskStatus }[]): Promise<void> {
  const byBlock = new Map<string, { block: number; status: TaskStatus; count: number }>();
  for (const { block, status } of tasks) {
    const counted = byBlock.get(`${block} ${status}`);
    if (counted) counted.count++;
    else byBlock.set(`${block} ${status}`, { block, status, count: 1 });
  }
  await add(tx, [...byBlock.values()]);
}

export async function moveCounted(tx: Tx, block: number, from: TaskStatus, to: TaskStatus): Promise<void> {
  if (from === to) return;
  await add(tx, [
    { block, status: from, count: -1 },
    { block, status: to, count: 1 },
  ]);
}

async function add(tx: Tx, changes: readonly { block: number; status: TaskStatus; count: number }[]): Promise<void> {
  for (const some of chunksOf(changes))
    await tx
      .insertInto("task_count")
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(["block", "status"]).doUpdateSet({ count: sql`task_count.count + excluded.count` }),
      )
      .execute();
  const totals = noTasks();
  for (const { status, count } of changes) totals[status] += count;
  const changed = taskStatuses.filter((status) => totals[status] !== 0);
  if (changed.length === 0) return;
  await tx
    .insertInto("task_total")
    .values(changed.map((status) => ({ status, count: totals[status] })))
    .onConflict((conflict) => conflict.column("status").doUpdateSet({ count: sql`task_total.count + excluded.count` }))
    .execute();
}

export async function totalCounts(db: Db): Promise<Counts> {
  const { rows } = await sql<{ status: string; count: number }>`select status, count from task_total`.execute(db);
  return summed(rows);
}

export async function countsOf(db: Db, blocks: readonly number[]): Promise<Map<number, Counts>> {
  const rows = await inChunks(blocks, (some) =>
    db.selectFrom("task_count").select(["block", "status", "count"]).where("block", "in", some).execute(),
  );
  const counts = new Map(blocks.map((block) => [block, noTasks()]));
  for (const { block, status, count } of rows) {
    const of = counts.get(block);
    if (of) of[statusFrom(status)] += Number(count);
  }
  return counts;
}

function summed(rows: readonly { status: string; count: number }[]): Counts {
  const counts = noTasks();
  for (const { status, count } of rows) counts[statusFrom(status)] += Number(count);
  return counts;
}
