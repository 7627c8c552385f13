import { expect, test } from "vitest";
import {
  bob,
  brokenProject,
  openRoom,
  type Room,
} from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeCancelExecution } from "./forge-cancel-execution.ts";
import { forgeExecuteTask } from "./forge-execute-task.ts";
import { forgeFollowExecution } from "./forge-follow-execution.ts";
import { forgeGetExecution } from "./forge-get-execution.ts";
import { forgeRunTests } from "./forge-run-tests.ts";
import { forgeWatchExecution } from "./forge-watch-execution.ts";

type Answer = { execution: { status: string }; events: { kind: string; message: string }[]; last_event: number };

type Paged = { events: { seq: number }[]; next?: { input: Record<string, unknown> }[] };

async function begin(room: Room): Promise<string> {
  const task = await room.task();
  const input = { block_id: task.blockId, task_id: task.id };
  return String((await room.ok(forgeExecuteTask, input))["execution_id"]);
}

test("stays open until the execution ends, and tells each event as it comes", async () => {
  const room = openRoom();
  const id = await begin(room);
  room.reports.length = 0;
  const watching = room.ok<Answer>(forgeWatchExecution, { execution_id: id, wait_seconds: 600, after_event: 0 }, bob);
  room.put({ "new.txt": "new\n" });
  // The file is seen by whoever watches, without any other call.
  await expect.poll(() => room.reports.map(({ message }) => message), { timeout: 20_000 }).toContain("created new.txt");
  room.git("clean", "--quiet", "--force");
  await room.ok(forgeCancelExecution, { reason: "enough" });
  const answer = await watching;
  expect(answer.events.map(({ kind }) => kind)).toEqual(["started", "file", "cancelled"]);
  expect(answer.execution.status).toBe("cancelled");
  const progress = room.reports.filter(({ meta }) => meta !== undefined).map((report) => report.progress);
  expect(progress.length).toBeGreaterThanOrEqual(3);
  const again = { execution_id: id, after_event: answer.last_event };
  expect(await room.ok<Answer>(forgeWatchExecution, again, bob)).toMatchObject({ events: [] });
});

test("a real failure of many tests fits into 8 KB, and no event is skipped on the way to the rest", async () => {
  const room = openRoom({ files: brokenProject(60) });
  await room.trustAll();
  const id = await begin(room);
  await room.ok(forgeRunTests, {});
  const all = await room.ok<{ timeline: { seq: number }[] }>(forgeGetExecution, { full: true });
  const seen: number[] = [];
  let input: Record<string, unknown> | undefined = { execution_id: id, after_event: 0, wait_seconds: 0 };
  let pages = 0;
  while (input) {
    const page: Paged = await room.ok<Paged>(forgeWatchExecution, input, bob);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(8_192);
    expect(JSON.stringify(page)).not.toContain("node:internal");
    seen.push(...page.events.map(({ seq }) => seq));
    input = page.next?.[0]?.input;
    pages++;
  }
  expect(pages).toBeGreaterThan(2);
  expect(seen).toEqual(all.timeline.map(({ seq }) => seq));
  const resource = await room.read(`forge://executions/${id}`);
  expect(Buffer.byteLength(JSON.stringify(resource))).toBeLessThanOrEqual(8_192);
  expect(resource).toHaveProperty("omitted");
  room.reports.length = 0;
  await room.ok(forgeCancelExecution, {});
  await room.ok(forgeFollowExecution, { execution_id: id });
  const followed = room.reports.flatMap(({ meta }) => (meta && "event" in meta ? [meta["event"]] : []));
  expect(followed.length).toBeGreaterThanOrEqual(all.timeline.length);
  for (const event of followed) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(1_500);
});

test("answers when the time is over, with what there is", async () => {
  const room = openRoom();
  const id = await begin(room);
  const answer = await room.ok<Answer>(forgeWatchExecution, { execution_id: id, wait_seconds: 0 }, bob);
  expect(answer).toMatchObject({ events: [], execution: { status: "running" } });
  expect(room.reports.at(-1)?.message).toContain("nothing new");
});

test("a cancelled watch ends at once", async () => {
  const room = openRoom();
  const id = await begin(room);
  const stop = new AbortController();
  const watching = room.call(forgeWatchExecution, { execution_id: id, wait_seconds: 600 }, bob, stop.signal);
  stop.abort();
  expect(await watching).toMatchObject({ kind: "error", body: { code: "CANCELLED" } });
});
