import { ticketBlock } from "../../model/ticket-items.ts";
import { ticketBlockText } from "../service/put-ticket-task.ts";
import type { BoardStore, Db } from "../store/board-store.ts";
import { completeBlock, completeTask, parseDocument } from "../store/documents.ts";
import { type BlockRow, type TaskRow, toStatus } from "../store/rows.ts";
import { type Json, type JsonObject, printJson } from "./json.ts";
import { formatStatus } from "./status-text.ts";

/** The board as a `blocks_config.json`: indented by two spaces, every field present, no line break at the end. */
export async function exportBoard(db: Db, store: BoardStore): Promise<{ text: string; blocks: number; tasks: number }> {
  const blocks: Json[] = [];
  let count = 0;
  for (const row of await store.listBlocks(db)) {
    if (isTicketBlock(row)) continue;
    const tasks = await store.listTasks(db, row.seq);
    count += tasks.length;
    blocks.push(exportBlock(row, tasks));
  }
  return { text: printJson(blocks, "  "), blocks: blocks.length, tasks: count };
}

/** Tickets are exported as tickets. */
function isTicketBlock({ id, document }: BlockRow): boolean {
  return id === ticketBlock && parseDocument(document).get("description") === ticketBlockText;
}

function exportBlock(row: BlockRow, tasks: readonly TaskRow[]): JsonObject {
  return completeBlock(parseDocument(row.document))
    .set("name", row.name)
    .set("block_id", row.id)
    .set("todo_list", new Map(tasks.map((task) => [task.id, exportTask(task)])));
}

function exportTask(row: TaskRow): JsonObject {
  return completeTask(parseDocument(row.document))
    .set("task_id", row.id)
    .set("task_name", row.name)
    .set("commit_id", row.commit_id)
    .set("status", formatStatus(toStatus(row.status)));
}
