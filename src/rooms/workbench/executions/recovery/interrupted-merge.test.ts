import { expect, test } from "vitest";
import { openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import type { WorkbenchTables } from "../../store/schema.ts";
import { forgeGetTaskDetails } from "../../tools/board/forge-get-task-details.ts";
import { forgeGetTasks } from "../../tools/board/forge-get-tasks.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeListExecutions } from "../../tools/executions/forge-list-executions.ts";

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

test.each([
  ["the tasks", forgeGetTasks, () => ({}), "tasks.0.status"],
  ["a task", forgeGetTaskDetails, (block_id: string, task_id: string) => ({ block_id, task_id }), "task.status"],
  ["the executions", forgeListExecutions, () => ({}), "executions.0.status"],
])(
  "killed after the merge and before the end: a server that runs already shows %s as completed",
  async (_what, tool, inputOf, path) => {
    const room = openRoom({ files: { "a.txt": "one\n" } });
    const watching = openRoom({ beside: room });
    await watching.ok(forgeListExecutions, {});
    const { blockId, id: taskId } = await room.task();
    const input = { block_id: blockId, task_id: taskId, options: { isolation: "worktree" } };
    const { root, branch_created: branch } = await room.ok<Record<string, string>>(forgeExecuteTask, input);
    room.put({ "new.txt": "new\n" }, root);
    await room.ok(forgeCommitChanges, { message: "x", complete: false });
    room.git("merge", "--quiet", String(branch));
    const intent = JSON.stringify({
      pid: deadProcess,
      mark: "another",
      deed: { kind: "merge", tip: room.git("rev-parse", "main") },
    });
    await room.database
      .forTables<WorkbenchTables>()
      .transaction((tx) => tx.updateTable("execution").set({ intent }).execute());
    expect(await watching.ok(tool as never, inputOf(blockId, taskId))).toHaveProperty(path, "completed");
  },
);
