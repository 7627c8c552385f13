import { expect, test } from "vitest";
import { openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import type { TestRequest, TestRun } from "../../../../commons/test-runs/test-run.ts";
import { Git } from "../../../../platform/git/git.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeRunTests } from "../../tools/executions/forge-run-tests.ts";

const files = { "a.txt": "one\n", "b.txt": "two\n" };
const workTree = { isolation: "worktree" };

async function begin(room: Room, options: Record<string, unknown> = {}, draft = {}) {
  const { blockId, id: taskId } = await room.task(draft);
  const started = await room.ok(forgeExecuteTask, { block_id: blockId, task_id: taskId, options });
  return {
    id: String(started["execution_id"]),
    root: String(started["root"]),
    branch: String(started["branch_created"]),
    taskStatus: async () => (await room.board.task(blockId, taskId)).status,
  };
}

type Meanwhile = (room: Room, request: TestRequest) => void;

/** Its tests pass on what is in the folder, with something done while they run. */
function openPassing(said: Partial<TestRun> = {}, meanwhile?: Meanwhile): Room {
  const runTests = async (request: TestRequest): Promise<TestRun> => {
    const tree = await new Git(room.sandbox).work(request.root).treeHash(request.signal);
    meanwhile?.(room, request);
    return {
      id: "test_1",
      at: 1,
      runner: "vitest",
      command: ["vitest"],
      scope: "all",
      included: "all",
      status: "passed",
      total: 1,
      passed: 1,
      failed: 0,
      skipped: 0,
      durationMs: 1,
      exitCode: 0,
      failures: [],
      omittedFailures: 0,
      tree,
      origin: { from: "tree" },
      withheld: [],
      notes: [],
      output: "",
      ...said,
    };
  };
  const room: Room = openRoom({ files, runTests });
  return room;
}

test("a commit that comes to the branch while the tests run is not merged with the one that was tested", async () => {
  let sneaks = true;
  const room = openPassing({}, ({ put, gitIn }, { root: tested }) => {
    if (!sneaks) return;
    sneaks = false;
    put({ "a.txt": "bad\n" }, tested);
    gitIn(tested, "commit", "--quiet", "--all", "--message", "sneaked in");
  });
  const { branch, root } = await begin(room, { ...workTree, run_tests: true });
  room.put({ "new.txt": "new\n" }, root);
  const answer = await room.ok(forgeCommitChanges, { message: "x" });
  expect(answer).toMatchObject({ branch_merged: false, branch_kept: branch, task_status: "in_progress" });
  expect(String(answer["summary"])).toContain("has moved from");
  expect(room.git("log", "--format=%s", "main")).toBe("first");
  expect(await room.ok(forgeCommitChanges, { message: "y" })).toMatchObject({ branch_merged: true });
});

test.each([
  ["changed files", { treeChanged: true }, "files changed while the tests ran"],
  ["other files than the commit's", { tree: "0".repeat(40) }, "did not run on the files of"],
  ["nothing", { command: [], notes: ["There are no tests."] }, "no test was run"],
  ["no test", { total: 0, passed: 0, notes: ["The runner found none."] }, "no test was run. The runner found none."],
  ["tests left out", { total: 2, passed: 0, skipped: 2 }, "no test was run, 2 skipped"],
])("a run on %s is no evidence for the commit", async (_name, said, words) => {
  const room = openPassing(said);
  await begin(room, { run_tests: true });
  room.put({ "new.txt": "new\n" });
  const answer = await room.ok(forgeCommitChanges, { message: "x" });
  expect(answer).toMatchObject({ branch_merged: false, task_status: "in_progress" });
  expect(JSON.stringify(answer["warnings"])).toContain(words);
});

test("without a test it is merged once the person wants no tests; a configured command tells no number and counts", async () => {
  const room = openPassing({ total: 0, passed: 0 });
  const { blockId, id: taskId } = await room.task({});
  const task = { block_id: blockId, task_id: taskId };
  await room.ok(forgeExecuteTask, { ...task, options: { run_tests: true } });
  room.put({ "new.txt": "new\n" });
  const { next } = await room.ok<{ next: unknown[] }>(forgeCommitChanges, { message: "x" });
  expect(next).toContainEqual(
    expect.objectContaining({ tool: "forge_execute_task", input: { ...task, options: { run_tests: false } } }),
  );
  await room.ok(forgeExecuteTask, { ...task, options: { run_tests: false } });
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({ branch_merged: true });

  const own = openPassing({ runner: "configured", total: 0, passed: 0 });
  await begin(own, { run_tests: true });
  own.put({ "new.txt": "new\n" });
  expect(await own.ok(forgeCommitChanges, { message: "x" })).toMatchObject({ branch_merged: true });
});

test("tests that passed beside a person's files are told of, by the files' names", async () => {
  const room = openPassing();
  room.put({ "helper.js": "mine\n" });
  await begin(room, { run_tests: true });
  room.put({ "new.txt": "new\n" });
  const answer = await room.ok(forgeCommitChanges, { message: "x" });
  expect(answer).toMatchObject({ branch_merged: true, warnings: [expect.stringContaining("helper.js")] });
});

test("a run of nothing is not told as tests that were run", async () => {
  const room = openPassing({ command: [], total: 0, passed: 0 });
  await begin(room);
  await room.ok(forgeRunTests, { scope: "failed" });
  room.put({ "new.txt": "new\n" });
  const { actions_performed } = await room.ok<{ actions_performed: { type: string }[] }>(forgeCommitChanges, {
    message: "x",
  });
  expect(actions_performed.map(({ type }) => type)).toEqual(["file_created", "committed", "merged"]);
});

test("what only came from the base, or was taken back, is no work", async () => {
  const room = openRoom({ files });
  room.put({ "b.txt": "three\n" });
  room.git("commit", "--quiet", "--all", "--message", "second");
  const { root, taskStatus } = await begin(room, workTree);
  room.put({ "b.txt": "four\n" });
  room.git("commit", "--quiet", "--all", "--message", "third");
  room.gitIn(root, "merge", "--quiet", "--no-ff", "main");
  expect((await room.refused(forgeCommitChanges, { message: "x" })).message).toContain("Nothing was changed");
  room.gitIn(root, "merge", "--quiet", "--ff-only", "main");
  room.gitIn(root, "reset", "--quiet", "--hard", "HEAD~2");
  expect((await room.refused(forgeCommitChanges, { message: "x" })).message).toContain("Nothing was changed");
  expect(await taskStatus()).toBe("in_progress");
  room.put({ "new.txt": "new\n" }, root);
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({ branch_merged: true });
});

test("with create_branch: false what the assistant committed with git counts", async () => {
  const room = openRoom({ files });
  const { taskStatus } = await begin(room, { create_branch: false });
  room.put({ "a.txt": "new\n" });
  room.git("commit", "--quiet", "--all", "--message", "by hand");
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({
    commit_hash: room.git("rev-parse", "main"),
    task_status: "completed",
  });
  expect(await taskStatus()).toBe("completed");
});

test("a hook that commits a person's file keeps the branch from being merged, every time", async () => {
  const room = openRoom({ files });
  room.hook("pre-commit", "git add --all");
  await room.trustAll();
  room.put({ "notes.txt": "mine\n" });
  await begin(room);
  room.put({ "new.txt": "new\n" });
  for (const message of ["x", "y"]) {
    const answer = await room.ok(forgeCommitChanges, { message });
    expect(answer).toMatchObject({ branch_merged: false, task_status: "in_progress" });
    expect(JSON.stringify(answer["warnings"])).toContain("notes.txt");
  }
  expect(room.git("ls-tree", "--name-only", "main")).not.toContain("notes.txt");
});

test("a hook that adds another file is told of", async () => {
  const room = openRoom({ files });
  room.hook("pre-commit", "echo built > built.txt; git add built.txt");
  await room.trustAll();
  await begin(room);
  room.put({ "new.txt": "new\n" });
  const answer = await room.ok(forgeCommitChanges, { message: "x" });
  expect(answer).toMatchObject({ branch_merged: true, warnings: [expect.stringContaining("built.txt")] });
});

test("after a conflict both ways that are advised lead on", async () => {
  const room = openRoom({ files });
  const one = await begin(room, workTree, { name: "One" });
  const two = await begin(room, workTree, { name: "Two" });
  room.put({ "a.txt": "the task's\n" }, one.root);
  room.put({ "a.txt": "another's\n" }, two.root);
  room.put({ "a.txt": "the person's\n" });
  room.git("commit", "--quiet", "--all", "--message", "theirs");
  const refusal = await room.refused(forgeCommitChanges, { message: "x", execution_id: one.id });
  expect(refusal.next?.[0]).toContain(`In ${one.root}, run \`git merge main\``);
  room.git("merge", "--quiet", "--strategy-option=ours", "--message", "by hand", one.branch);
  expect(await room.ok(forgeCommitChanges, { message: "y", execution_id: one.id })).toMatchObject({
    branch_merged: true,
    branch_deleted: true,
    task_status: "completed",
  });
  await room.refused(forgeCommitChanges, { message: "x", execution_id: two.id });
  room.gitIn(two.root, "merge", "--quiet", "--strategy-option=ours", "main");
  expect(await room.ok(forgeCommitChanges, { message: "y", execution_id: two.id })).toMatchObject({
    branch_merged: true,
  });
});
