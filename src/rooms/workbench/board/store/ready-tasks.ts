import type { Claims } from "../../../../commons/claims/index.ts";
import { type TaskStatus, taskStatuses } from "../../model/limits.ts";
import { parseTaskKey, taskKey } from "../model/ids.ts";
import type { Db } from "./board-store.ts";
import { queryInChunks } from "./chunks.ts";
import { readFreeCounts } from "./counts.ts";
import { readTaskRows, readWaitingRows, type TaskQuery } from "./pages.ts";
import type { SummaryRow } from "./rows.ts";

type RowPage = { rows: SummaryRow[]; total: number };

/**
 * Tasks that can be executed now: not completed, not claimed, and without unmet dependencies. An index has those that wait, and
 * few are claimed.
 */
export async function readReadyRows(db: Db, claims: Claims, query: TaskQuery): Promise<RowPage> {
  const claimed = await readClaimedRows(db, claims, query);
  const taken = new Set(claimed.map(({ seq }) => seq));
  const free = { ...query, statuses: listOpenStatuses(query), waits: 0, limit: query.limit + taken.size } as const;
  const rows = (await readWaitingRows(db, free)).filter(({ seq }) => !taken.has(seq)).slice(0, query.limit);
  return { rows, total: await countReady(db, query, claimed) };
}

/** The others; `all` is the number of both. */
export async function readUnreadyRows(db: Db, claims: Claims, query: TaskQuery, all: number): Promise<RowPage> {
  const claimed = await readClaimedRows(db, claims, query);
  const found = [
    ...(await readTaskRows(db, { ...query, statuses: listStatuses(query).filter((status) => status === "completed") })),
    ...(await readWaitingRows(db, { ...query, statuses: listOpenStatuses(query), waits: 1 })),
    ...claimed.filter(({ seq }) => seq > query.after),
  ];
  const rows = found.sort((a, b) => a.seq - b.seq).slice(0, query.limit);
  return { rows, total: all - (await countReady(db, query, claimed)) };
}

async function countReady(db: Db, query: TaskQuery, claimed: readonly SummaryRow[]): Promise<number> {
  const counts = await readFreeCounts(db, query.block);
  return listOpenStatuses(query).reduce((sum, status) => sum + counts[status], 0) - claimed.length;
}

function listStatuses({ statuses }: TaskQuery): TaskStatus[] {
  return [...new Set(statuses ?? taskStatuses)];
}

function listOpenStatuses(query: TaskQuery): TaskStatus[] {
  return listStatuses(query).filter((status) => status !== "completed");
}

/** Those that could be executed if they were not claimed. */
async function readClaimedRows(db: Db, claims: Claims, query: TaskQuery): Promise<SummaryRow[]> {
  const open = listOpenStatuses(query);
  const keys = new Set(open.length > 0 ? await claims.all(db) : []);
  const ids = [...keys].map((key) => parseTaskKey(key).taskId);
  const rows = await queryInChunks(ids, (some) => {
    const found = db
      .selectFrom("task")
      .innerJoin("block", "block.seq", "task.block")
      .select([
        "task.seq",
        "task.block",
        "task.id",
        "task.name",
        "task.status",
        "task.revision",
        "block.id as block_id",
      ])
      .where("task.id", "in", some)
      .where("task.status", "in", open)
      .where("task.waits", "=", 0);
    return (query.block === undefined ? found : found.where("task.block", "=", query.block)).execute();
  });
  return rows.filter(({ block_id, id }) => keys.has(taskKey(block_id, id)));
}
