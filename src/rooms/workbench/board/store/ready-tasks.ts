import type { Claims } from "../../../../commons/claims/index.ts";
import { type TaskStatus, taskStatuses } from "../../model/limits.ts";
import { fromTaskKey, taskKey } from "../model/ids.ts";
import type { Db } from "./board-store.ts";
import { inChunks } from "./chunks.ts";
import { freeCounts } from "./counts.ts";
import { type TaskQuery, taskRows, waitingRows } from "./pages.ts";
import type { SummaryRow } from "./rows.ts";

type Found = { rows: SummaryRow[]; total: number };

/**
 * Tasks that can be executed now: neither done nor claimed, and waiting for no other. Who waits is in an index, and who has
 * claimed what is few.
 */
export async function readyRows(db: Db, claims: Claims, query: TaskQuery): Promise<Found> {
  const claimed = await claimedRows(db, claims, query);
  const taken = new Set(claimed.map(({ seq }) => seq));
  const free = { ...query, statuses: openIn(query), waits: 0, limit: query.limit + taken.size } as const;
  const rows = (await waitingRows(db, free)).filter(({ seq }) => !taken.has(seq)).slice(0, query.limit);
  return { rows, total: await readyCount(db, query, claimed) };
}

/** All the others of these; `all` is how many there are of both. */
export async function otherRows(db: Db, claims: Claims, query: TaskQuery, all: number): Promise<Found> {
  const claimed = await claimedRows(db, claims, query);
  const found = [
    ...(await taskRows(db, { ...query, statuses: statusesOf(query).filter((status) => status === "completed") })),
    ...(await waitingRows(db, { ...query, statuses: openIn(query), waits: 1 })),
    ...claimed.filter(({ seq }) => seq > query.after),
  ];
  const rows = found.sort((a, b) => a.seq - b.seq).slice(0, query.limit);
  return { rows, total: all - (await readyCount(db, query, claimed)) };
}

async function readyCount(db: Db, query: TaskQuery, claimed: readonly SummaryRow[]): Promise<number> {
  const counts = await freeCounts(db, query.block);
  return openIn(query).reduce((sum, status) => sum + counts[status], 0) - claimed.length;
}

function statusesOf({ statuses }: TaskQuery): TaskStatus[] {
  return [...new Set(statuses ?? taskStatuses)];
}

function openIn(query: TaskQuery): TaskStatus[] {
  return statusesOf(query).filter((status) => status !== "completed");
}

/** Those that only a claim keeps from being executed. */
async function claimedRows(db: Db, claims: Claims, query: TaskQuery): Promise<SummaryRow[]> {
  const open = openIn(query);
  const keys = new Set(open.length > 0 ? await claims.all(db) : []);
  const ids = [...keys].map((key) => fromTaskKey(key).taskId);
  const rows = await inChunks(ids, (some) => {
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
