import { expect, test } from "vitest";
import { openRoom } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeCommitChanges } from "./forge-commit-changes.ts";
import { forgeExecuteTaskStream } from "./forge-execute-task-stream.ts";
import { forgeGetExecution } from "./forge-get-execution.ts";

test("its resource shows the execution, and its subscribers hear of every step", async () => {
  const room = openRoom();
  const task = await room.task();
  const answer = await room.ok(forgeExecuteTaskStream, { block_id: task.blockId, task_id: task.id });
  expect(answer["resource"]).toBe(`forge://executions/${answer["execution_id"]}`);
  let heard = 0;
  room.watch(String(answer["resource"]), () => heard++);
  room.put({ "new.txt": "new\n" });
  const file = heard;
  await room.ok(forgeGetExecution, {});
  await expect.poll(() => heard, { timeout: 10_000 }).toBeGreaterThan(file);
  const commit = heard;
  await room.ok(forgeCommitChanges, { message: "x" });
  await expect.poll(() => heard, { timeout: 10_000 }).toBeGreaterThan(commit);
  const shown = await room.read(String(answer["resource"]));
  expect(shown).toMatchObject({ status: "completed", files: [{ path: "new.txt" }] });
  expect(await room.read("forge://executions")).toMatchObject({ total: 1, executions: [{ status: "completed" }] });
});

test("who looks is not told of the look", async () => {
  const room = openRoom();
  const task = await room.task();
  const answer = await room.ok(forgeExecuteTaskStream, { block_id: task.blockId, task_id: task.id });
  const uri = String(answer["resource"]);
  let heard = 0;
  room.watch(uri, () => {
    heard++;
    void room.read(uri);
  });
  await room.read(uri);
  await room.ok(forgeGetExecution, {});
  room.put({ "new.txt": "new\n" });
  await room.ok(forgeGetExecution, {});
  await expect.poll(() => heard, { timeout: 10_000 }).toBe(1);
  // The entries of all these looks have been seen by then.
  const newest = await room.ledger.newest();
  await room.read(uri);
  await expect.poll(() => room.ledger.newest(), { timeout: 10_000 }).toBeGreaterThan(newest);
  expect(heard).toBe(1);
});

test("another process's steps are heard too; with notify_progress: false nothing is", async () => {
  const room = openRoom();
  const task = await room.task();
  const input = { block_id: task.blockId, task_id: task.id };
  const answer = await room.ok(forgeExecuteTaskStream, { ...input, options: { notify_progress: false } });
  const other = openRoom({ beside: room });
  let heard = 0;
  let listed = 0;
  other.watch(String(answer["resource"]), () => heard++);
  other.watch("forge://executions", () => listed++);
  room.put({ "new.txt": "new\n" });
  await room.ok(forgeGetExecution, {});
  await expect.poll(() => listed, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(heard).toBe(0);
  await room.ok(forgeExecuteTaskStream, { ...input, options: { notify_progress: true } });
  await expect.poll(() => heard, { timeout: 10_000 }).toBeGreaterThan(0);
});
