import type { Claims } from "../../../../commons/claims/index.ts";
import type { DependencyState } from "../../model/task-model.ts";
import { taskKey } from "../model/ids.ts";
import type { BoardStore, Db } from "../store/board-store.ts";
import { queryInChunks } from "../store/chunks.ts";
import { parseBlockContent } from "../store/documents.ts";
import type { BlockRow, SummaryRow, TaskRow } from "../store/rows.ts";
import { type ResolvedDependency, resolveDependencies } from "./resolve-dependencies.ts";
import { listUnmet } from "./task-queries.ts";

/** Of one dependency: a block may have many tasks. */
const maxOpenTasks = 100;
const maxRelatedBlocks = 50;

export type RelatedBlock = { id?: string; name: string };
const openStatuses = ["pending", "in_progress", "failed"];

/** The dependencies of a task, with the tasks that are not completed. */
export async function readDependencyStates(
  db: Db,
  claims: Claims,
  task: Pick<TaskRow, "seq">,
): Promise<DependencyState[]> {
  const meant = (await resolveDependencies(db, [task.seq])).get(task.seq) ?? [];
  const states: DependencyState[] = [];
  for (const meaning of meant) {
    const rows = await readOpenTasks(db, meaning);
    const waits = await resolveDependencies(
      db,
      rows.map(({ seq }) => seq),
    );
    const claimed = await claims.on(
      db,
      rows.map(({ block_id, id }) => taskKey(block_id, id)),
    );
    states.push({
      ref: meaning.ref,
      status: meaning.status,
      open: rows.map(({ seq, block_id, id, name, status }) => {
        const holder = claimed.get(taskKey(block_id, id))?.holder;
        const ready = listUnmet(status, waits.get(seq) ?? [], holder)?.length === 0;
        return { blockId: block_id, taskId: id, name, ready };
      }),
    });
  }
  return states;
}

type OpenTaskRow = Pick<SummaryRow, "seq" | "id" | "name" | "status" | "block_id">;

function readOpenTasks(db: Db, { tasks, block, status }: ResolvedDependency): Promise<OpenTaskRow[]> {
  const seqs = tasks.flatMap((task) => (task.status === "completed" ? [] : [task.seq])).slice(0, maxOpenTasks);
  if (status === "completed" || (block === undefined && seqs.length === 0)) return Promise.resolve([]);
  const rows = db
    .selectFrom("task")
    .innerJoin("block", "block.seq", "task.block")
    .select(["task.seq", "task.id", "task.name", "task.status", "block.id as block_id"])
    .orderBy("task.seq")
    .limit(maxOpenTasks);
  if (block === undefined) return rows.where("task.seq", "in", seqs).execute();
  return rows.where("task.block", "=", block).where("task.status", "in", openStatuses).execute();
}

/** Blocks that are connected with the task's block, or that the task waits for. One that is not on the board has no id. */
export async function findRelatedBlocks(
  db: Db,
  store: BoardStore,
  own: BlockRow,
  task: TaskRow,
): Promise<RelatedBlock[]> {
  const { input_connections, output_connections } = parseBlockContent(own.document).connections;
  const modules = [
    ...input_connections.map((connection) => connection["from_module"]),
    ...output_connections.map((connection) => connection["to_module"]),
  ].filter((name) => typeof name === "string" && name !== "" && !name.includes("\0"));
  const related = new Map<string, RelatedBlock>();
  for (const name of [...new Set(modules.map(String))].slice(0, maxRelatedBlocks)) {
    // A block that is not on the board is named as in the file.
    const found = await store.findBlock(db, name);
    related.set(found?.name ?? name, found ? { id: found.id, name: found.name } : { name });
  }
  const meant = (await resolveDependencies(db, [task.seq])).get(task.seq) ?? [];
  const seqs = new Set(
    meant.flatMap(({ tasks, block }) => (block === undefined ? tasks.map((to) => to.block) : [block])),
  );
  const blocks = await queryInChunks([...seqs], (some) =>
    db.selectFrom("block").select(["id", "name"]).where("seq", "in", some).orderBy("seq").execute(),
  );
  for (const block of blocks) related.set(block.name, block);
  related.delete(own.name);
  return [...related.values()].slice(0, maxRelatedBlocks);
}
