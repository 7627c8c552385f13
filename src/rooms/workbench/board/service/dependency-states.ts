import type { Claims } from "../../../../commons/claims/index.ts";
import type { DependencyState } from "../../model/task-model.ts";
import { taskKey } from "../model/ids.ts";
import type { BoardStore, Db } from "../store/board-store.ts";
import { inChunks } from "../store/chunks.ts";
import { blockContentFrom } from "../store/documents.ts";
import type { BlockRow, SummaryRow, TaskRow } from "../store/rows.ts";
import { type Meaning, meaningsOf } from "./resolve-dependencies.ts";
import { waitsFor } from "./task-queries.ts";

/** Of one dependency; a block may have very many. */
const mostOpen = 100;
const mostRelated = 50;
const open = ["pending", "in_progress", "failed"];

/** What a task waits for, down to the tasks that are to be done. */
export async function dependencyStates(db: Db, claims: Claims, task: Pick<TaskRow, "seq">): Promise<DependencyState[]> {
  const meant = (await meaningsOf(db, [task.seq])).get(task.seq) ?? [];
  const states: DependencyState[] = [];
  for (const meaning of meant) {
    const rows = await openTasks(db, meaning);
    const waits = await meaningsOf(
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
        const ready = waitsFor(status, waits.get(seq) ?? [], holder)?.length === 0;
        return { blockId: block_id, taskId: id, name, ready };
      }),
    });
  }
  return states;
}

type OpenRow = Pick<SummaryRow, "seq" | "id" | "name" | "status" | "block_id">;

function openTasks(db: Db, { tasks, block, status }: Meaning): Promise<OpenRow[]> {
  const seqs = tasks.flatMap((task) => (task.status === "completed" ? [] : [task.seq])).slice(0, mostOpen);
  if (status === "completed" || (block === undefined && seqs.length === 0)) return Promise.resolve([]);
  const rows = db
    .selectFrom("task")
    .innerJoin("block", "block.seq", "task.block")
    .select(["task.seq", "task.id", "task.name", "task.status", "block.id as block_id"])
    .orderBy("task.seq")
    .limit(mostOpen);
  if (block === undefined) return rows.where("task.seq", "in", seqs).execute();
  return rows.where("task.block", "=", block).where("task.status", "in", open).execute();
}

/** Names of the blocks that a task's own has to do with: by its connections, or by what the task waits for. */
export async function relatedBlocks(db: Db, store: BoardStore, own: BlockRow, task: TaskRow): Promise<string[]> {
  const { input_connections, output_connections } = blockContentFrom(own.document).connections;
  const modules = [
    ...input_connections.map((connection) => connection["from_module"]),
    ...output_connections.map((connection) => connection["to_module"]),
  ].filter((name) => typeof name === "string" && name !== "" && !name.includes("\0"));
  const related = new Set<string>();
  for (const name of [...new Set(modules)].slice(0, mostRelated)) {
    // One that is not on the board is still what the file says.
    related.add((await store.findBlock(db, String(name)))?.name ?? String(name));
  }
  const meant = (await meaningsOf(db, [task.seq])).get(task.seq) ?? [];
  const seqs = new Set(
    meant.flatMap(({ tasks, block }) => (block === undefined ? tasks.map((to) => to.block) : [block])),
  );
  const blocks = await inChunks([...seqs], (some) =>
    db.selectFrom("block").select("name").where("seq", "in", some).orderBy("seq").execute(),
  );
  for (const { name } of blocks) related.add(name);
  related.delete(own.name);
  return [...related].slice(0, mostRelated);
}
