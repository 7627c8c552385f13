import { sql } from "kysely";
import type { Db, Tx } from "../store/board-store.ts";
import { queryInChunks, splitIntoChunks } from "../store/chunks.ts";
import { type FreeChange, moveFreeCounts, readBlockCounts } from "../store/counts.ts";
import { type BlockRow, type Counts, createCounts, type TaskRow, toStatus } from "../store/rows.ts";
import { resolveDependencies } from "./resolve-dependencies.ts";

/**
 * Stores which tasks wait for others, so that an index finds what can be executed, however many tasks there are. Updated for the
 * tasks that a change may affect.
 */

const batchSize = 1_000;

type BlockKey = Pick<BlockRow, "id" | "name" | "seq">;
type TaskState = Pick<TaskRow, "id" | "status">;

/** A task was created. */
export async function updateWaitsAfterInsert(
  tx: Tx,
  block: BlockKey,
  task: TaskState & { seq: number },
): Promise<void> {
  const isFirstOpen = task.status !== "completed" && countOpen(await readCounts(tx, block)) === 1;
  await refresh(tx, [task.seq], [...taskNames(block, task.id), ...(isFirstOpen ? blockNames(block) : [])]);
}

/** The status or the dependencies of a task have changed. */
export async function updateWaitsAfterChange(
  tx: Tx,
  block: BlockKey,
  before: TaskState & { seq: number },
  { status, hasOtherDependencies }: { status: string; hasOtherDependencies: boolean },
): Promise<void> {
  const own = hasOtherDependencies ? [before.seq] : [];
  const isDone = status === "completed";
  if ((before.status === "completed") === isDone) return refresh(tx, own, []);
  const isLastOpen = countOpen(await readCounts(tx, block)) === (isDone ? 0 : 1);
  return refresh(tx, own, [...taskNames(block, before.id), ...(isLastOpen ? blockNames(block) : [])]);
}

/** A block was created or renamed. */
export async function updateWaitsAfterBlock(tx: Tx, block: BlockKey, oldName?: string): Promise<void> {
  if (oldName === undefined) return refresh(tx, [], blockNames(block));
  const tasks = await tx.selectFrom("task").select("id").where("block", "=", block.seq).execute();
  const names = [oldName, block.name];
  return refresh(
    tx,
    [],
    names.flatMap((name) => [name, ...tasks.map(({ id }) => `${name}/${id}`)]),
  );
}

/** Anything may have changed. */
export async function updateAllWaits(tx: Tx): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ seq: number }>`
      select seq from task where seq > ${after}
      and (waits = 1 or exists (select 1 from task_dependency where task_dependency.task = task.seq))
      order by seq limit ${batchSize}`.execute(tx);
    const last = rows.at(-1)?.seq;
    if (last === undefined) return;
    await storeWaits(
      tx,
      rows.map(({ seq }) => seq),
    );
    after = last;
  }
}

/** The references that may mean a task. */
function taskNames({ id, name }: BlockKey, task: string): string[] {
  return [task, `${id}/${task}`, `${name}/${task}`];
}

function blockNames({ id, name }: BlockKey): string[] {
  return [id, name];
}

async function readCounts(tx: Tx, { seq }: BlockKey): Promise<Counts> {
  return (await readBlockCounts(tx, [seq])).get(seq) ?? createCounts();
}

function countOpen({ pending, in_progress, failed }: Counts): number {
  return pending + in_progress + failed;
}

async function refresh(tx: Tx, tasks: readonly number[], names: readonly string[]): Promise<void> {
  const depending = await findDependents(tx, names);
  const all = [...new Set([...tasks, ...depending])];
  for (const some of splitIntoChunks(all, batchSize)) await storeWaits(tx, some);
}

async function findDependents(db: Db, names: readonly string[]): Promise<number[]> {
  const rows = await queryInChunks([...new Set(names)], (some) =>
    db.selectFrom("task_dependency").select("task").where("ref", "in", some).execute(),
  );
  return rows.map(({ task }) => task);
}

async function storeWaits(tx: Tx, tasks: readonly number[]): Promise<void> {
  if (tasks.length === 0) return;
  const meanings = await resolveDependencies(tx, tasks);
  const rows = await tx
    .selectFrom("task")
    .select(["seq", "block", "status", "waits"])
    .where("seq", "in", tasks)
    .execute();
  const changes: FreeChange[] = [];
  const moved = new Map<number, number[]>();
  for (const { seq, block, status, waits } of rows) {
    const now = (meanings.get(seq) ?? []).some((meant) => meant.status !== "completed") ? 1 : 0;
    if (now === waits) continue;
    moved.set(now, [...(moved.get(now) ?? []), seq]);
    changes.push({ block, status: toStatus(status), free: now === 0 ? 1 : -1 });
  }
  for (const [waits, seqs] of moved) await tx.updateTable("task").set({ waits }).where("seq", "in", seqs).execute();
  await moveFreeCounts(tx, changes);
}
