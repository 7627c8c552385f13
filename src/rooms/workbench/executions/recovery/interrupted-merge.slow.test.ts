import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import type { WorkbenchTables } from "../../store/schema.ts";
import { forgeGetBlocks } from "../../tools/board/forge-get-blocks.ts";
import { forgeGetTaskDetails } from "../../tools/board/forge-get-task-details.ts";
import { forgeGetTasks } from "../../tools/board/forge-get-tasks.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeGetExecution } from "../../tools/executions/forge-get-execution.ts";
import { forgeListExecutions } from "../../tools/executions/forge-list-executions.ts";
import { forgeWatchExecution } from "../../tools/executions/forge-watch-execution.ts";

const never = () => new AbortController().signal;
/** More than any system gives. */
const deadProcess = 2 ** 30;

/** A task with a commit, whose process meant to merge it and is gone. */
async function cutOff(meanwhile: (room: Room, branch: string) => void = () => undefined) {
  const room = openRoom({ files: { "a.txt": "one\n", "b.txt": "two\n" } });
  const { blockId, id: taskId } = await room.task();
  const input = { block_id: blockId, task_id: taskId, options: { isolation: "worktree" } };
  const { root, branch_created: branch } = await room.ok<Record<string, string>>(forgeExecuteTask, input);
  room.put({ "a.txt": "the task's\n", "new.txt": "new\n" }, root);
  await room.ok(forgeCommitChanges, { message: "x", complete: false });
  const [from, to] = [room.git("rev-parse", "main"), room.git("rev-parse", String(branch))];
  const deed = { kind: "merge", tip: to, move: { from, to } };
  const intent = JSON.stringify({ pid: deadProcess, mark: "another", deed });
  await room.database
    .forTables<WorkbenchTables>()
    .transaction((tx) => tx.updateTable("execution").set({ intent }).execute());
  await room.close();
  meanwhile(room, String(branch));
  const next = openRoom({ beside: room });
  const words = (await next.executions.recover(never())).warnings.join(" ");
  return {
    next,
    words,
    branch: String(branch),
    to,
    status: async () => (await next.board.task(blockId, taskId)).status,
  };
}

const moveFiles = (room: Room, branch: string) => room.git("read-tree", "-m", "-u", "main", branch);

test("after the base's files were moved and before the base was, the merge is finished", async () => {
  const { next, to, words, status } = await cutOff(moveFiles);
  expect(words).toContain("Its interrupted merge into main was finished.");
  expect(next.git("rev-parse", "main")).toBe(to);
  expect(next.git("status", "--porcelain")).toBe("");
  expect(await status()).toBe("completed");
});

test("where a person has changed one of them since, that stays, and it is said", async () => {
  const { next, words, status } = await cutOff((room, branch) => {
    moveFiles(room, branch);
    room.put({ "a.txt": "the person's\n" });
  });
  expect(words).toContain("a.txt was changed there since");
  expect(next.text("a.txt")).toBe("the person's\n");
  expect(await status()).toBe("in_progress");
});

test("before anything was moved, nothing is done", async () => {
  const { next, words, status } = await cutOff();
  expect(words).toContain("interrupted and not made");
  expect(next.git("log", "--format=%s", "main")).toBe("first");
  expect(await status()).toBe("in_progress");
});

test("a branch that is gone was not merged for that", async () => {
  const { words, status } = await cutOff((room, branch) => {
    room.git("update-ref", "-d", `refs/heads/${branch}`);
  });
  expect(words).toContain("interrupted and not made");
  expect(await status()).toBe("in_progress");
});

type Named = { block_id: string; task_id: string; execution_id: string };

test.each([
  ["the tasks", forgeGetTasks, () => ({}), "tasks.0.status"],
  ["a task", forgeGetTaskDetails, ({ block_id, task_id }: Named) => ({ block_id, task_id }), "task.status"],
  ["the blocks", forgeGetBlocks, () => ({ include_tasks: true }), "blocks.0.tasks.0.status"],
  ["the executions", forgeListExecutions, () => ({}), "executions.0.status"],
  ["the execution", forgeGetExecution, ({ execution_id }: Named) => ({ execution_id }), "status"],
  [
    "what it watches",
    forgeWatchExecution,
    ({ execution_id }: Named) => ({ execution_id, wait_seconds: 0 }),
    "execution.status",
  ],
])(
  "killed after the merge and before the end: a server that runs already shows %s as completed",
  async (_what, tool, inputOf, path) => {
    const { watching, named } = await killAfterMerge();
    expect(await watching.ok(tool as never, inputOf(named))).toHaveProperty(path, "completed");
  },
);

test("so do its resources", async () => {
  const { watching, named } = await killAfterMerge();
  expect(await watching.read(`forge://executions/${named.execution_id}`)).toHaveProperty("status", "completed");
  expect(await watching.read("forge://executions")).toHaveProperty("executions.0.status", "completed");
});

/** A server that runs beside the one that is killed between the merge and the end of the execution. */
async function killAfterMerge() {
  const room = openRoom({ files: { "a.txt": "one\n" } });
  const watching = openRoom({ beside: room });
  await watching.ok(forgeListExecutions, {});
  const { blockId: block_id, id: task_id } = await room.task();
  const input = { block_id, task_id, options: { isolation: "worktree" } };
  const started = await room.ok<Record<string, string>>(forgeExecuteTask, input);
  const { root, branch_created: branch, execution_id = "" } = started;
  room.put({ "new.txt": "new\n" }, root);
  await room.ok(forgeCommitChanges, { message: "x", complete: false });
  room.git("merge", "--quiet", String(branch));
  const deed = { kind: "merge", tip: room.git("rev-parse", "main") };
  const intent = JSON.stringify({ pid: deadProcess, mark: "another", deed });
  await room.database
    .forTables<WorkbenchTables>()
    .transaction((tx) => tx.updateTable("execution").set({ intent }).execute());
  return { watching, named: { block_id, task_id, execution_id } };
}

test("a work tree that a killed process tested a merge in is removed; that of a live one stays", async () => {
  const room = openRoom();
  const { blockId, id } = await room.task();
  const options = { isolation: "worktree" };
  const { root = "" } = await room.ok<Record<string, string>>(forgeExecuteTask, {
    block_id: blockId,
    task_id: id,
    options,
  });
  const candidate = (pid: number) => join(dirname(root), `merge_exec_abc_${pid}`);
  for (const pid of [deadProcess, process.pid]) room.git("worktree", "add", "--quiet", "--detach", candidate(pid));
  await room.close();
  const next = openRoom({ beside: room });
  const { warnings } = await next.executions.recover(never());
  expect(warnings).toEqual([]);
  expect([room.has("", candidate(deadProcess)), room.has("", candidate(process.pid))]).toEqual([false, true]);
  expect(room.has("a.txt", root)).toBe(true);
});
