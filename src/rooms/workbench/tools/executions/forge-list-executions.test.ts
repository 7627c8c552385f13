import { expect, test } from "vitest";
import { openRoom } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeCancelExecution } from "./forge-cancel-execution.ts";
import { forgeExecuteTask } from "./forge-execute-task.ts";
import { forgeListExecutions } from "./forge-list-executions.ts";

type Page = { executions: { execution_id: string; status: string }[]; total: number; next_cursor?: string };

test("newest first, by status and task, page by page", async () => {
  const room = openRoom();
  const task = await room.task();
  const other = await room.task({ name: "Other" });
  for (const { blockId, id } of [task, other, task]) {
    await room.ok(forgeExecuteTask, { block_id: blockId, task_id: id });
    await room.ok(forgeCancelExecution, {});
  }
  const open = await room.ok(forgeExecuteTask, { block_id: task.blockId, task_id: task.id });
  const first = await room.ok<Page>(forgeListExecutions, { limit: 3 });
  expect(first.executions[0]).toMatchObject({ execution_id: open["execution_id"], status: "running" });
  expect(first).toMatchObject({ total: 4, next_cursor: expect.any(String) });
  const second = await room.ok<Page>(forgeListExecutions, { limit: 3, cursor: first.next_cursor });
  expect(second.executions).toHaveLength(1);
  expect(second.next_cursor).toBeUndefined();
  expect(await room.ok<Page>(forgeListExecutions, { status: ["running"] })).toMatchObject({ total: 1 });
  expect(await room.ok<Page>(forgeListExecutions, { task_id: other.id })).toMatchObject({ total: 1 });
  expect((await room.refused(forgeListExecutions, { cursor: "x" })).code).toBe("VALIDATION_ERROR");
});
