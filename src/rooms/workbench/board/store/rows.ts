import type { Insertable, Selectable } from "kysely";
import type { Claim } from "../../../../commons/claims/index.ts";
import { taskStatuses } from "../../model/limits.ts";
import type { Block, Task, TaskStatus, TaskSummary } from "../../model/task-model.ts";
import type { BlockTable, TaskTable } from "../../store/schema.ts";
import { parseBlockContent, parseTaskContent } from "./documents.ts";

export type BlockRow = Selectable<BlockTable>;
export type TaskRow = Selectable<TaskTable>;
export type NewTask = Omit<Insertable<TaskTable>, "seq">;
export type NewBlock = Omit<Insertable<BlockTable>, "seq">;

/** The columns of a list; without documents. */
export type SummaryRow = Pick<TaskRow, "seq" | "block" | "id" | "name" | "status" | "revision"> & { block_id: string };

/** What files contain if there was nothing to commit. */
const noCommit = "No commit id";

export type Counts = Record<TaskStatus, number>;

export const createCounts = (): Counts => ({ pending: 0, in_progress: 0, completed: 0, failed: 0 });

export function toStatus(text: string): TaskStatus {
  return taskStatuses.find((status) => status === text) ?? "pending";
}

export function toTask(row: TaskRow, block: Pick<BlockRow, "id" | "name">, claim?: Claim): Task {
  return {
    ...parseTaskContent(row.document),
    id: row.id,
    name: row.name,
    blockId: block.id,
    blockName: block.name,
    status: toStatus(row.status),
    commitId: row.commit_id === noCommit ? "" : row.commit_id,
    ...(row.ticket !== null && { ticketId: row.ticket }),
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(claim && { claim }),
  };
}

export function toSummary(row: SummaryRow, claim: Claim | undefined, dependencies: string[]): TaskSummary {
  return {
    id: row.id,
    name: row.name,
    blockId: row.block_id,
    status: toStatus(row.status),
    dependencies,
    revision: row.revision,
    ...(claim && { claim }),
  };
}

export function toBlock(row: BlockRow, tasks: Counts): Block {
  return { id: row.id, name: row.name, ...parseBlockContent(row.document), tasks, revision: row.revision };
}
