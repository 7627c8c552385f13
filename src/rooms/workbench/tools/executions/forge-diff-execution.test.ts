import { expect, test } from "vitest";
import { openRoom } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeDiffExecution } from "./forge-diff-execution.ts";
import { forgeExecuteTask } from "./forge-execute-task.ts";

test("G a program that asks for the diff gets no secrets, whole or as base64", async () => {
  const room = openRoom();
  const task = await room.task();
  const { execution_id } = await room.ok(forgeExecuteTask, { block_id: task.blockId, task_id: task.id });
  const token = `ghp_${"A1b2C3d4E5f6".repeat(3)}`;
  room.put({ "conf.py": `token = "${token}"\n`, "lib/.env": "DB_PASSWORD=hunter2\n", "caf\u00e9.txt": "caf\u00e9\n" });
  const { patch } = await room.ok<{ patch: string }>(forgeDiffExecution, { execution_id });
  const text = Buffer.from(patch, "base64").toString();
  expect(text).toContain('+token = "[redacted github-token]"');
  expect(text).toContain("diff --git a/lib/.env b/lib/.env\n");
  expect(text).not.toContain("hunter2");
  expect(text).toContain("+caf\u00e9\n");
});
