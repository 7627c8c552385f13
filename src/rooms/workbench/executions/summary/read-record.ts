import type { ExecutionRecord, Issue } from "../../model/execution-model.ts";
import type { ExecutionStore } from "../execution-store.ts";
import { toEntries } from "../finish/merge-queue.ts";
import { type ExecutionRow, toExecution } from "../rows.ts";

const maxShownEvents = 200;
const maxShownRuns = 100;

/** Everything that is recorded of an execution, as it is now. */
export function readRecord(store: ExecutionStore, { id, seq, ...row }: ExecutionRow): Promise<ExecutionRecord> {
  return store.database.read(async (db) => {
    const now = (await store.find(db, id)) ?? { id, seq, ...row };
    const runs = await store.listEventsOfKinds(db, seq, ["tests"], maxShownRuns);
    const issues = await store.listEventsOfKinds(db, seq, ["issue"], maxShownRuns);
    const waiting = now.stage === "queued" ? toEntries(await store.listOpen(db)) : [];
    const place = waiting.findIndex((entry) => entry.row.id === id);
    const queued = waiting[place]?.queued;
    return {
      ...toExecution(now),
      events: await store.listEvents(db, seq, { limit: maxShownEvents }),
      files: await store.listFiles(db, seq),
      tests: runs.map(({ details }) => details as ExecutionRecord["tests"][number]),
      issues: issues.map(({ details }) => details as Issue),
      ...(queued && { queue: { place: place + 1, waiting: waiting.length, since: queued.at, commit: queued.tip } }),
    };
  });
}
