import { sql } from "kysely";
import type { Db, Tx } from "../store/board-store.ts";
import { chunksOf, inChunks } from "../store/chunks.ts";
import { countsOf, type FreeChange, moveFree } from "../store/counts.ts";
import { type BlockRow, type Counts, noTasks, statusFrom, type TaskRow } from "../store/rows.ts";
import { meaningsOf } from "./resolve-dependencies.ts";

/**
 * Which tasks wait for others, kept as things change: an index then finds what can be executed, however many tasks there are.
 * What a dependency means is found as it always is; here is only whose may have changed.
 */

const batch = 1_000;

type Place = Pick<BlockRow, "id" | "name" | "seq">;
type Changed = Pick<TaskRow, "id" | "status">;

/** A task was made. */
export async function waitAfterNew(tx: Tx, block: Place, task: Changed & { seq: number }): Promise<void> {
  const isFirstOpen = task.status !== "completed" && openOf(await countsIn(tx, block)) === 1;
  await refresh(tx, [task.seq], [...namesOf(block, task.id), ...(isFirstOpen ? namesOfBlock(block) : [])]);
}

/** A task has another status or other dependencies than before. */
export async function waitAfterChange(
  tx: Tx,
  block: Place,
  before: Changed & { seq: number },
  { status, hasOtherDependencies }: { status: string; hasOtherDependencies: boolean },
): Promise<void> {
  const own = hasOtherDependencies ? [before.seq] : [];
  const isDone = status === "completed";
  if ((before.status === "completed") === isDone) return refresh(tx, own, []);
  const isLastOpen = openOf(await countsIn(tx, block)) === (isDone ? 0 : 1);
  return refresh(tx, own, [...namesOf(block, before.id), ...(isLastOpen ? namesOfBlock(block) : [])]);
}

/** A block was made, or has another name. */
export async function waitAfterBlock(tx: Tx, block: Place, oldName?: string): Promise<void> {
  if (oldName === undefined) return refresh(tx, [], namesOfBlock(block));
  const tasks = await tx.selectFrom("task").select("id").where("block", "=", block.seq).execute();
  const names = [oldName, block.name];
  return refresh(
    tx,
    [],
    names.flatMap((name) => [name, ...tasks.map(({ id }) => `${name}/${id}`)]),
  );
}

/** Anything may be different. */
export async function waitAfterAll(tx: Tx): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ seq: number }>`
      select seq from task where seq > ${after}
      and (waits = 1 or exists (select 1 from task_dependency where task_dependency.task = task.seq))
      order by seq limit ${batch}`.execute(tx);
    const last = rows.at(-1)?.seq;
    if (last === undefined) return;
    await settle(
      tx,
      rows.map(({ seq }) => seq),
    );
    after = last;
  }
}

/** What a dependency may call a task by. */
function namesOf({ id, name }: Place, task: string): string[] {
  return [task, `${id}/${task}`, `${name}/${task}`];
}

function namesOfBlock({ id, name }: Place): string[] {
  return [id, name];
}

async function countsIn(tx: Tx, { seq }: Place): Promise<Counts> {
  return (await countsOf(tx, [seq])).get(seq) ?? noTasks();
}

function openOf({ pending, in_progress, failed }: Counts): number {
  return pending + in_progress + failed;
}

async function refresh(tx: Tx, tasks: readonly number[], names: readonly string[]): Promise<void> {
  const depending = await dependingOn(tx, names);
  const all = [...new Set([...tasks, ...depending])];
  for (const some of chunksOf(all, batch)) await settle(tx, some);
}

async function dependingOn(db: Db, names: readonly string[]): Promise<number[]> {
  const rows = await inChunks([...new Set(names)], (some) =>
    db.selectFrom("task_dependency").select("task").where("ref", "in", some).execute(),
  );
  return rows.map(({ task }) => task);
}

async function settle(tx: Tx, tasks: readonly number[]): Promise<void> {
  if (tasks.length === 0) return;
  const meanings = await meaningsOf(tx, tasks);
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
    changes.push({ block, status: statusFrom(status), free: now === 0 ? 1 : -1 });
  }
  for (const [waits, seqs] of moved) await tx.updateTable("task").set({ waits }).where("seq", "in", seqs).execute();
  await moveFree(tx, changes);
}
