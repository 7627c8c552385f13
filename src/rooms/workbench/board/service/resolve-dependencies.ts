import { sql } from "kysely";
import type { TaskStatus } from "../../model/task-model.ts";
import type { Db } from "../store/board-store.ts";
import { queryInChunks } from "../store/chunks.ts";
import { readBlockCounts } from "../store/counts.ts";
import { type Counts, createCounts, toStatus } from "../store/rows.ts";

type TaskRef = { seq: number; block: number; id: string; status: TaskStatus };

/** What a dependency refers to. */
export type ResolvedDependency = {
  /** As written. */
  ref: string;
  status: TaskStatus | "unknown";
  /** The tasks it refers to; those of a block are not listed. */
  tasks: TaskRef[];
  /** The block, if it refers to all tasks of one. */
  block?: number;
};

type DependencyRow = { task: number; ref: string; own: number; target: number | null; status: string | null };
type UnresolvedDependency = { ref: string; meaning: ResolvedDependency };

/**
 * Resolves the dependencies of these tasks, in the order written. A reference is tried as a task of the same block, a task of any
 * other block, `block/task`, the id of a block, and the name of a block. Takes a few queries, however many tasks there are.
 */
export async function resolveDependencies(
  db: Db,
  tasks: readonly number[],
): Promise<Map<number, ResolvedDependency[]>> {
  const found = new Map<number, ResolvedDependency[]>(tasks.map((task) => [task, []]));
  const unresolved: UnresolvedDependency[] = [];
  for (const { task, ref, own, target, status } of await readDependencies(db, tasks)) {
    const meaning: ResolvedDependency = { ref, status: "unknown", tasks: [] };
    found.get(task)?.push(meaning);
    if (target === null || status === null) unresolved.push({ ref, meaning });
    else applyTasks(meaning, [{ seq: target, block: own, id: ref, status: toStatus(status) }]);
  }
  if (unresolved.length > 0) await resolveElsewhere(db, unresolved);
  return found;
}

/** With the task of the same block that has this id. */
function readDependencies(db: Db, tasks: readonly number[]): Promise<DependencyRow[]> {
  return queryInChunks(tasks, async (some) => {
    const { rows } = await sql<DependencyRow>`
      select d.task as task, d.ref as ref, s.block as own, t.seq as target, t.status as status
      from task_dependency d join task s on s.seq = d.task left join task t on t.block = s.block and t.id = d.ref
      where d.task in (${sql.join(some)}) order by d.task, d.place`.execute(db);
    return rows;
  });
}

/** As they are written, without resolving them. */
export async function readDependencyRefs(db: Db, tasks: readonly number[]): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>(tasks.map((task) => [task, []]));
  const rows = await queryInChunks(tasks, (some) =>
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

async function resolveElsewhere(db: Db, unresolved: readonly UnresolvedDependency[]): Promise<void> {
  const byId = groupBy(await findTasksById(db, unique(unresolved.map(({ ref }) => ref))), ({ id }) => id);
  const others = unresolved.filter(({ ref, meaning }) => !applyTasks(meaning, byId.get(ref) ?? []));
  if (others.length === 0) return;
  const splits = unique(others.map(({ ref }) => ref)).flatMap(splitRef);
  const blocks = await findBlocks(db, unique([...others.map(({ ref }) => ref), ...splits.map(({ head }) => head)]));
  const within = await findTasksInBlocks(db, splits, blocks);
  const rest = others.filter(({ ref, meaning }) => !applyTasks(meaning, within.get(ref) ?? []));
  const meant = unique(rest.flatMap(({ ref }) => blocks.get(ref) ?? []));
  const counts = await readBlockCounts(db, meant);
  for (const { ref, meaning } of rest) {
    const block = blocks.get(ref);
    if (block === undefined) continue;
    meaning.block = block;
    meaning.status = combineStatuses(counts.get(block) ?? createCounts());
  }
}

/** Returns false if there are none. */
function applyTasks(meaning: ResolvedDependency, tasks: readonly TaskRef[]): boolean {
  if (tasks.length === 0) return false;
  const counts = createCounts();
  for (const { status } of tasks) counts[status]++;
  meaning.tasks = [...tasks];
  meaning.status = combineStatuses(counts);
  return true;
}

/** One status for several tasks. Without tasks it is completed: there is nothing to wait for. */
export function combineStatuses({ pending, in_progress, completed, failed }: Counts): TaskStatus {
  if (failed > 0) return "failed";
  if (pending === 0 && in_progress === 0) return "completed";
  return in_progress > 0 || completed > 0 ? "in_progress" : "pending";
}

async function findTasksById(db: Db, ids: readonly string[]): Promise<TaskRef[]> {
  const rows = await queryInChunks(ids, (some) =>
    db.selectFrom("task").select(["seq", "block", "id", "status"]).where("id", "in", some).execute(),
  );
  return rows.map(toTaskRef);
}

/** By id and by name; an id wins. */
async function findBlocks(db: Db, refs: readonly string[]): Promise<Map<string, number>> {
  const byName = await queryInChunks(refs, (some) =>
    db.selectFrom("block").select(["seq", "name as ref"]).where("name", "in", some).execute(),
  );
  const byId = await queryInChunks(refs, (some) =>
    db.selectFrom("block").select(["seq", "id as ref"]).where("id", "in", some).execute(),
  );
  return new Map([...byName, ...byId].map(({ ref, seq }) => [ref, seq]));
}

type RefSplit = { ref: string; head: string; tail: string };
const maxSplits = 8;

/** `block/task`; ids and names may contain slashes themselves. */
function splitRef(ref: string): RefSplit[] {
  const splits: RefSplit[] = [];
  for (let at = ref.indexOf("/"); at >= 0 && splits.length < maxSplits; at = ref.indexOf("/", at + 1)) {
    splits.push({ ref, head: ref.slice(0, at), tail: ref.slice(at + 1) });
  }
  return splits;
}

async function findTasksInBlocks(
  db: Db,
  splits: readonly RefSplit[],
  blocks: ReadonlyMap<string, number>,
): Promise<Map<string, TaskRef[]>> {
  const known = splits.flatMap(({ ref, head, tail }) => {
    const block = blocks.get(head);
    return block === undefined ? [] : [{ ref, block, tail }];
  });
  const found = new Map<string, TaskRef[]>();
  for (const [block, some] of groupBy(known, (split) => split.block)) {
    const rows = await queryInChunks(
      some.map(({ tail }) => tail),
      (tails) =>
        db
          .selectFrom("task")
          .select(["seq", "block", "id", "status"])
          .where("block", "=", block)
          .where("id", "in", tails)
          .execute(),
    );
    const byId = new Map(rows.map((row) => [row.id, toTaskRef(row)]));
    for (const { ref, tail } of some) {
      const task = byId.get(tail);
      if (task && !found.has(ref)) found.set(ref, [task]);
    }
  }
  return found;
}

function toTaskRef({ seq, block, id, status }: { seq: number; block: number; id: string; status: string }): TaskRef {
  return { seq, block, id, status: toStatus(status) };
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

function groupBy<Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}
