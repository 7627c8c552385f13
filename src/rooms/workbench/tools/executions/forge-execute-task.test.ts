import { expect, test } from "vitest";
import { bob, openRoom } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeCommitChanges } from "./forge-commit-changes.ts";
import { forgeExecuteTask } from "./forge-execute-task.ts";
import { forgeGetExecution } from "./forge-get-execution.ts";

test("makes a branch of the task's name, in place", async () => {
  const room = openRoom();
  const task = await room.task({ id: "xyz789" });
  const input = { block_id: task.blockId, task_id: "xyz789" };
  const answer = await room.ok(forgeExecuteTask, input);
  expect(answer).toEqual({
    status: "started",
    branch_created: "task-xyz789-add-user-authentication",
    execution_id: expect.stringMatching(/^exec_[0-9a-f]{12}$/),
    message: "Task execution started. You can now make changes and I'll track them.",
    root: room.project,
    base_branch: "main",
    resumed: false,
  });
  expect(room.git("branch", "--show-current")).toBe("task-xyz789-add-user-authentication");
  expect((await room.board.task(task.blockId, "xyz789")).status).toBe("in_progress");
  expect(room.reports.at(-1)?.meta).toEqual({
    "forge/execution": { execution_id: answer["execution_id"], stage: "implementing", files_in_progress: [] },
  });
});

test("called again by the same caller it resumes; another is refused, and told who is at it", async () => {
  const room = openRoom();
  const task = await room.task();
  const input = { block_id: task.blockId, task_id: task.id };
  const first = await room.ok(forgeExecuteTask, input);
  expect(await room.ok(forgeExecuteTask, input)).toMatchObject({ resumed: true, execution_id: first["execution_id"] });
  const refusal = await room.refused(forgeExecuteTask, input, bob);
  expect(refusal.code).toBe("CONFLICT_ERROR");
  expect(refusal.message).toContain("ada/assistant#");
});

test("a person's changes are named and left alone; a work tree goes round them", async () => {
  const room = openRoom({ files: { "a.txt": "one\n", "b.txt": "two\n" } });
  const task = await room.task();
  room.put({ "a.txt": "mine\n" });
  room.git("rm", "--cached", "--quiet", "b.txt");
  const input = { block_id: task.blockId, task_id: task.id };
  const refusal = await room.refused(forgeExecuteTask, input);
  expect(refusal.code).toBe("CONFLICT_ERROR");
  expect(refusal.message).toContain("a.txt");
  expect(refusal.message).toContain("b.txt");
  expect(refusal.next?.[0]).toMatchObject({
    tool: "forge_execute_task",
    input: { options: { isolation: "worktree" } },
  });
  expect((await room.board.task(task.blockId, task.id)).status).toBe("pending");
  expect(room.git("branch", "--list", "task-*")).toBe("");
  const apart = await room.ok(forgeExecuteTask, { ...input, options: { isolation: "worktree" } });
  expect(String(apart["root"]).startsWith(`${room.sandbox.workTreesHome}/project-`)).toBe(true);
  expect(String(apart["root"]).endsWith(`/${apart["execution_id"]}`)).toBe(true);
  expect(room.text("a.txt", String(apart["root"]))).toBe("one\n");
  expect(room.text("a.txt")).toBe("mine\n");
  expect(room.git("status", "--porcelain")).toBe(" M a.txt\nD  b.txt\n?? b.txt");
});

test("`execution_options` is taken too, and `options` wins", async () => {
  const room = openRoom();
  const task = await room.task();
  const answer = await room.ok(forgeExecuteTask, {
    block_id: task.blockId,
    task_id: task.id,
    execution_options: { create_branch: false, finish: "branch" },
    options: { finish: "merge" },
  });
  expect(answer["branch_created"]).toBeUndefined();
  expect(room.git("branch", "--show-current")).toBe("main");
  const { options } = await room.ok<{ options: unknown }>(forgeGetExecution, {});
  expect(options).toMatchObject({ create_branch: false, finish: "merge" });
});

test("unmet dependencies are named; with resolve_dependencies the first that is ready is started instead", async () => {
  const room = openRoom();
  const base = await room.task({ id: "base00", name: "Base" });
  const middle = await room.task({ id: "middle", name: "Middle", dependencies: ["base00"] });
  const top = await room.task({ id: "top000", name: "Top", dependencies: ["middle"] });
  const input = { block_id: top.blockId, task_id: top.id };
  const refusal = await room.refused(forgeExecuteTask, input);
  expect(refusal.code).toBe("DEPENDENCY_ERROR");
  expect(refusal.message).toContain("middle");
  const answer = await room.ok(forgeExecuteTask, { ...input, options: { resolve_dependencies: true } });
  expect(answer["instead"]).toEqual({ block_id: base.blockId, task_id: "base00" });
  expect(answer["branch_created"]).toBe("task-base00-base");
  expect((await room.board.task(middle.blockId, "middle")).status).toBe("pending");
  room.put({ "b.txt": "b\n" });
  await room.ok(forgeCommitChanges, { message: "Base" });
  expect(await room.ok(forgeExecuteTask, { ...input, options: { resolve_dependencies: true } })).toMatchObject({
    instead: { task_id: "middle" },
  });
});

test("a circle is refused with its path", async () => {
  const room = openRoom();
  const one = await room.task({ id: "one000", name: "One", dependencies: ["two000"] });
  await room.task({ id: "two000", name: "Two", dependencies: ["one000"] });
  const refusal = await room.refused(forgeExecuteTask, { block_id: one.blockId, task_id: one.id });
  expect(refusal.code).toBe("DEPENDENCY_ERROR");
  expect(refusal.message).toMatch(/one000.*→.*two000.*→.*one000/);
});

test("one task at a time in place", async () => {
  const room = openRoom();
  const one = await room.task({ name: "One" });
  const two = await room.task({ name: "Two" });
  const first = await room.ok(forgeExecuteTask, { block_id: one.blockId, task_id: one.id });
  const refusal = await room.refused(forgeExecuteTask, { block_id: two.blockId, task_id: two.id }, bob);
  expect(refusal.message).toContain(String(first["execution_id"]));
  const apart = await room.ok(
    forgeExecuteTask,
    { block_id: two.blockId, task_id: two.id, options: { isolation: "worktree" } },
    bob,
  );
  // Not from the other task's branch, which is what is checked out.
  expect(apart["base_branch"]).toBe("main");
});

test("a branch that is there already is nobody's to take", async () => {
  const room = openRoom();
  const task = await room.task({ id: "id0001", name: "Task" });
  room.git("branch", "task-id0001-task");
  room.git("branch", "task-id0001-task-2");
  const answer = await room.ok(forgeExecuteTask, { block_id: task.blockId, task_id: task.id });
  expect(answer["branch_created"]).toBe("task-id0001-task-3");
});

test("without a commit or on no branch there is nothing to begin from, in place", async () => {
  const room = openRoom();
  const task = await room.task();
  room.git("checkout", "--quiet", "--detach");
  const refusal = await room.refused(forgeExecuteTask, { block_id: task.blockId, task_id: task.id });
  expect(refusal).toMatchObject({ code: "CONFLICT_ERROR", details: { head: "detached" } });
  const empty = openRoom({ files: {} });
  const other = await empty.task();
  expect(await empty.refused(forgeExecuteTask, { block_id: other.blockId, task_id: other.id })).toMatchObject({
    code: "CONFLICT_ERROR",
    details: { head: "unborn" },
  });
});

test("unknown options are refused by name", async () => {
  const room = openRoom();
  const task = await room.task();
  const refusal = await room.refused(forgeExecuteTask, {
    block_id: task.blockId,
    task_id: task.id,
    options: { isolatoin: "worktree" },
  });
  expect(refusal.code).toBe("VALIDATION_ERROR");
  expect(refusal.message).toContain("isolatoin");
});
