import type { BoardStore, Db } from "../store/board-store.ts";
import { completedBlock, completedTask, storedDocument } from "../store/documents.ts";
import { type BlockRow, statusFrom, type TaskRow } from "../store/rows.ts";
import { type Json, type JsonObject, printJson } from "./json.ts";
import { writtenStatus } from "./status-text.ts";

/** The board as the original writes it: two blanks a level, every field there, no line end at the end. */
export async function exportedText(
  db: Db,
  store: BoardStore,
): Promise<{ text: string; blocks: number; tasks: number }> {
  const blocks: Json[] = [];
  let count = 0;
  for (const row of await store.allBlocks(db)) {
    const tasks = await store.tasksOf(db, row.seq);
    count += tasks.length;
    blocks.push(wholeBlock(row, tasks));
  }
  return { text: printJson(blocks, "  "), blocks: blocks.length, tasks: count };
}

function wholeBlock(row: BlockRow, tasks: readonly TaskRow[]): JsonObject {
  return completedBlock(storedDocument(row.document))
    .set("name", row.name)
    .set("block_id", row.id)
    .set("todo_list", new Map(tasks.map((task) => [task.id, wholeTask(task)])));
}

function wholeTask(row: TaskRow): JsonObject {
  return completedTask(storedDocument(row.document))
    .set("task_id", row.id)
    .set("task_name", row.name)
    .set("commit_id", row.commit_id)
    .set("status", writtenStatus(statusFrom(row.status)));
}
