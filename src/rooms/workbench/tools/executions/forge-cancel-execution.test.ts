import { expect, test } from "vitest";
import { ada, bob, openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeCancelExecution } from "./forge-cancel-execution.ts";
import { forgeCommitChanges } from "./forge-commit-changes.ts";
import { forgeExecuteTask } from "./forge-execute-task.ts";

async function begin(room: Room, options: Record<string, unknown> = {}) {
  const task = await room.task();
  const started = await room.ok(forgeExecuteTask, { block_id: task.blockId, task_id: task.id, options });
  const { execution_id, root, branch_created } = started;
  return { task, id: String(execution_id), root: String(root), branch: String(branch_created) };
}

test("with nothing done nothing is left: branch gone, on the base, the task pending", async () => {
  const room = openRoom();
  const { task, branch, id } = await begin(room);
  const answer = await room.ok(forgeCancelExecution, { reason: "not now" });
  expect(answer).toMatchObject({ execution_id: id, status: "cancelled", kept: [], removed: [`branch ${branch}`] });
  expect(room.git("branch", "--format=%(refname:short)")).toBe("main");
  const after = await room.board.task(task.blockId, task.id);
  expect(after.status).toBe("pending");
  expect(after.claim).toBeUndefined();
});

test("in place what is not committed stays as it is, on its branch", async () => {
  const room = openRoom();
  const { branch } = await begin(room);
  room.put({ "a.txt": "changed\n", "new.txt": "new\n" });
  const answer = await room.ok<{ kept: string[] }>(forgeCancelExecution, {});
  expect(answer.kept.join("\n")).toContain("a.txt, new.txt");
  expect(answer.kept.join("\n")).toContain(`branch ${branch}`);
  expect(room.git("branch", "--show-current")).toBe(branch);
  expect(room.text("a.txt")).toBe("changed\n");
});

test("commits that are not merged keep their branch; a person's own files do not", async () => {
  const room = openRoom();
  room.put({ "notes.txt": "mine\n" });
  const { branch } = await begin(room);
  room.put({ "new.txt": "new\n" });
  await room.ok(forgeCommitChanges, { message: "x", complete: false });
  const answer = await room.ok(forgeCancelExecution, {});
  expect(answer["kept"]).toEqual([
    `branch ${branch}: 1 commit is not in main. \`git log main..${branch}\` shows them. Once they are merged, \`git branch -d ${branch}\` deletes the branch.`,
  ]);
  expect(room.git("branch", "--show-current")).toBe("main");
  expect(room.git("log", "-1", "--format=%s", branch)).toBe("x");
  expect(room.text("notes.txt")).toBe("mine\n");
});

test("a work tree is gone where nothing is lost with it, and kept with its branch otherwise", async () => {
  const room = openRoom();
  const clean = await begin(room, { isolation: "worktree" });
  expect(await room.ok(forgeCancelExecution, {})).toMatchObject({
    removed: [clean.root, `branch ${clean.branch}`],
    kept: [],
  });
  expect(room.has(".", clean.root)).toBe(false);
  const dirty = await begin(room, { isolation: "worktree" });
  room.put({ "new.txt": "new\n" }, dirty.root);
  const answer = await room.ok<{ kept: string[] }>(forgeCancelExecution, {});
  expect(answer.kept.join("\n")).toContain(dirty.root);
  expect(answer.kept.join("\n")).toContain("new.txt");
  expect(room.text("new.txt", dirty.root)).toBe("new\n");
});

test("another's is not yours to cancel; one that is over cannot be", async () => {
  const room = openRoom();
  const { id } = await begin(room);
  expect((await room.refused(forgeCancelExecution, { execution_id: id }, bob)).message).toContain("ada/assistant#");
  await room.ok(forgeCancelExecution, { execution_id: id });
  expect((await room.refused(forgeCancelExecution, { execution_id: id }, ada)).message).toContain("cancelled");
});
