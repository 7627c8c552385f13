import { sql } from "kysely";
import type { TaskStatus } from "../../model/task-model.ts";
import type { Db } from "../store/board-store.ts";
import { inChunks } from "../store/chunks.ts";
import { countsOf } from "../store/counts.ts";
import { type Counts, noTasks, statusFrom } from "../store/rows.ts";

type LightTask = { seq: number; block: number; id: string; status: TaskStatus };

/** What a dependency means now. */
export type Meaning = {
  /** As written. */
  ref: string;
  status: TaskStatus | "unknown";
  /** The tasks meant; those of a block are not listed. */
  tasks: LightTask[];
  /** The block all of whose tasks are meant. */
  block?: number;
};

type Written = { task: number; ref: string; own: number; target: number | null; status: string | null };
type Unresolved = { ref: string; meaning: Meaning };

/**
 * What the dependencies of these tasks mean, each in the order written: a task of the same block, one of any other, `block/task`,
 * a block by its id, a block by its name, in this order. A few questions for all of them, however many they are.
 */
export async function meaningsOf(db: Db, tasks: readonly number[]): Promise<Map<number, Meaning[]>> {
  const found = new Map<number, Meaning[]>(tasks.map((task) => [task, []]));
  const unresolved: Unresolved[] = [];
  for (const { task, ref, own, target, status } of await writtenBy(db, tasks)) {
    const meaning: Meaning = { ref, status: "unknown", tasks: [] };
    found.get(task)?.push(meaning);
    if (target === null || status === null) unresolved.push({ ref, meaning });
    else mean(meaning, [{ seq: target, block: own, id: ref, status: statusFrom(status) }]);
  }
  if (unresolved.length > 0) await resolve(db, unresolved);
  return found;
}

/** With the task of the same block that has such an id. */
function writtenBy(db: Db, tasks: readonly number[]): Promise<Written[]> {
  return inChunks(tasks, async (some) => {
    const { rows } = await sql<Written>`
      select d.task as task, d.ref as ref, s.block as own, t.seq as target, t.status as status
      from task_dependency d join task s on s.seq = d.task left join task t on t.block = s.block and t.id = d.ref
      where d.task in (${sql.join(some)}) order by d.task, d.place`.execute(db);
    return rows;
  });
}

/** As they are written, without what they mean. */
export async function writtenOnly(db: Db, tasks: readonly number[]): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>(tasks.map((task) => [task, []]));
  const rows = await inChunks(tasks, (some) =>
    db
      .selectFrom("task_dependency")
      .select(["task", "ref"])
      .where("task", "in", some)
      .orderBy("task")
      .orderBy("place")
      .execute(),
  );
  for (const { task, ref } of rows) found.get(task)?.push(ref);
  return found;
}

async function resolve(db: Db, unresolved: readonly Unresolved[]): Promise<void> {
  const byId = grouped(await tasksWithId(db, unique(unresolved.map(({ ref }) => ref))), ({ id }) => id);
  const others = unresolved.filter(({ ref, meaning }) => !mean(meaning, byId.get(ref) ?? []));
  if (others.length === 0) return;
  const splits = unique(others.map(({ ref }) => ref)).flatMap(splitsOf);
  const blocks = await blocksCalled(db, unique([...others.map(({ ref }) => ref), ...splits.map(({ head }) => head)]));
  const within = await tasksWithin(db, splits, blocks);
  const rest = others.filter(({ ref, meaning }) => !mean(meaning, within.get(ref) ?? []));
  const meant = unique(rest.flatMap(({ ref }) => blocks.get(ref) ?? []));
  const counts = await countsOf(db, meant);
  for (const { ref, meaning } of rest) {
    const block = blocks.get(ref);
    if (block === undefined) continue;
    meaning.block = block;
    meaning.status = statusOf(counts.get(block) ?? noTasks());
  }
}

/** Returns whether there are any. */
function mean(meaning: Meaning, tasks: readonly LightTask[]): boolean {
  if (tasks.length === 0) return false;
  const counts = noTasks();
  for (const { status } of tasks) counts[status]++;
  meaning.tasks = [...tasks];
  meaning.status = statusOf(counts);
  return true;
}

/** Of several as one. Of none, which is a block without tasks, there is nothing to wait for. */
export function statusOf({ pending, in_progress, completed, failed }: Counts): TaskStatus {
  if (failed > 0) return "failed";
  if (pending === 0 && in_progress === 0) return "completed";
  return in_progress > 0 || completed > 0 ? "in_progress" : "pending";
}

async function tasksWithId(db: Db, ids: readonly string[]): Promise<LightTask[]> {
  const rows = await inChunks(ids, (some) =>
    db.selectFrom("task").select(["seq", "block", "id", "status"]).where("id", "in", some).execute(),
  );
  return rows.map(light);
}

/** By id and by name; where both fit, the id counts. */
async function blocksCalled(db: Db, refs: readonly string[]): Promise<Map<string, number>> {
  const byName = await inChunks(refs, (some) =>
    db.selectFrom("block").select(["seq", "name as ref"]).where("name", "in", some).execute(),
  );
  const byId = await inChunks(refs, (some) =>
    db.selectFrom("block").select(["seq", "id as ref"]).where("id", "in", some).execute(),
  );
  return new Map([...byName, ...byId].map(({ ref, seq }) => [ref, seq]));
}

type Split = { ref: string; head: string; tail: string };
const mostSplits = 8;

/** `block/task`; the ids and names themselves may have slashes in them. */
function splitsOf(ref: string): Split[] {
  const splits: Split[] = [];
  for (let at = ref.indexOf("/"); at >= 0 && splits.length < mostSplits; at = ref.indexOf("/", at + 1)) {
    splits.push({ ref, head: ref.slice(0, at), tail: ref.slice(at + 1) });
  }
  return splits;
}

async function tasksWithin(
  db: Db,
  splits: readonly Split[],
  blocks: ReadonlyMap<string, number>,
): Promise<Map<string, LightTask[]>> {
  const known = splits.flatMap(({ ref, head, tail }) => {
    const block = blocks.get(head);
    return block === undefined ? [] : [{ ref, block, tail }];
  });
  const found = new Map<string, LightTask[]>();
  for (const [block, some] of grouped(known, (split) => split.block)) {
    const rows = await inChunks(
      some.map(({ tail }) => tail),
      (tails) =>
        db
          .selectFrom("task")
          .select(["seq", "block", "id", "status"])
          .where("block", "=", block)
          .where("id", "in", tails)
          .execute(),
    );
    const byId = new Map(rows.map((row) => [row.id, light(row)]));
    for (const { ref, tail } of some) {
      const task = byId.get(tail);
      if (task && !found.has(ref)) found.set(ref, [task]);
    }
  }
  return found;
}

function light({ seq, block, id, status }: { seq: number; block: number; id: string; status: string }): LightTask {
  return { seq, block, id, status: statusFrom(status) };
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

function grouped<Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}
