import { expect, test } from "vitest";
import { ada, bob, openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { forgeCommitChanges } from "./forge-commit-changes.ts";
import { forgeExecuteTask } from "./forge-execute-task.ts";
import { forgeGetExecution } from "./forge-get-execution.ts";
import { forgeListExecutions } from "./forge-list-executions.ts";

async function begin(room: Room, options: Record<string, unknown> = {}, draft = {}, principal = ada) {
  const task = await room.task(draft);
  const input = { block_id: task.blockId, task_id: task.id, options };
  const started = await room.ok(forgeExecuteTask, input, principal);
  return {
    task,
    id: String(started["execution_id"]),
    root: String(started["root"]),
    branch: String(started["branch_created"]),
  };
}

const files = { "src/main.rs": "fn main() {}\n", "keep.txt": "keep\n", "old.txt": "old\n" };

test("commits, merges, deletes the branch and completes the task, with what was done", async () => {
  const room = openRoom({ files });
  const { task, id } = await begin(room, {}, { id: "xyz789" });
  room.put({ "src/auth.rs": "one\ntwo\n", "src/main.rs": "fn main() { auth(); }\n" });
  room.sandbox.git(room.project, "rm", "--quiet", "old.txt");
  const answer = await room.ok(forgeCommitChanges, {
    message: "Implement JWT authentication\n\n- Add auth.rs",
    files: ["src/auth.rs", "src/main.rs", "old.txt"],
  });
  const head = room.git("rev-parse", "main");
  expect(answer).toEqual({
    commit_hash: head,
    branch_merged: true,
    branch_deleted: true,
    merge: "merged",
    task_status: "completed",
    files_modified: expect.arrayContaining(["src/auth.rs", "src/main.rs", "old.txt"]),
    summary: `Committed 3 files as ${head.slice(0, 12)}. Merged into main; the task is completed. The merge result was not tested.`,
    actions_performed: [
      { type: "file_deleted", path: "old.txt", lines: 1 },
      { type: "file_created", path: "src/auth.rs", lines: 2 },
      { type: "file_modified", path: "src/main.rs", lines: 1 },
      { type: "committed", commit: head, files: expect.any(Array) },
      { type: "merged", into: "main" },
    ],
    success: true,
    execution_id: id,
  });
  expect(room.git("branch", "--format=%(refname:short)")).toBe("main");
  expect(room.git("status", "--porcelain")).toBe("");
  expect(room.git("log", "-1", "--format=%an|%(trailers:unfold,separator=%x2C)|%s")).toBe(
    `Ada|Forge-Task: ${task.blockId}/xyz789,Forge-Execution: ${id}|Implement JWT authentication`,
  );
  expect(await room.board.task(task.blockId, task.id)).toMatchObject({ status: "completed", commitId: head });
  const entries = await room.ledger.latest({ about: `execution:${id}` });
  expect(entries.at(-1)).toMatchObject({ name: "forge_commit_changes", outcome: "ok", evidence: [`commit:${head}`] });
});

test("a person's files that git does not know are never committed, nor taken away", async () => {
  const room = openRoom({ files });
  room.put({ "notes.txt": "mine\n" });
  await begin(room);
  room.put({ "notes.txt": "mine, changed\n", "new.txt": "task's\n" });
  const refusal = await room.refused(forgeCommitChanges, { message: "x", files: ["notes.txt", "new.txt"] });
  expect(refusal).toMatchObject({ code: "PERMISSION_DENIED", details: { paths: ["notes.txt"] } });
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({ files_modified: ["new.txt"] });
  expect(room.text("notes.txt")).toBe("mine, changed\n");
  expect(room.git("status", "--porcelain")).toBe("?? notes.txt");
});

test("completing is refused while changes remain, and nothing is done", async () => {
  const room = openRoom({ files });
  const { branch } = await begin(room);
  room.put({ "one.txt": "1\n", "two.txt": "2\n" });
  const refusal = await room.refused(forgeCommitChanges, { message: "x", files: ["one.txt"] });
  expect(refusal).toMatchObject({ code: "CONFLICT_ERROR", details: { uncommitted: ["two.txt"] } });
  expect(room.git("rev-parse", branch)).toBe(room.git("rev-parse", "main"));
  expect(await room.ok(forgeCommitChanges, { message: "x", files: ["one.txt"], complete: false })).toMatchObject({
    files_modified: ["one.txt"],
    branch_merged: false,
    branch_kept: branch,
    task_status: "in_progress",
    success: true,
  });
  expect(await room.ok(forgeCommitChanges, { message: "y" })).toMatchObject({
    files_modified: ["two.txt"],
    branch_merged: true,
  });
  expect(room.git("log", "--format=%s", "main")).toBe("y\nx\nfirst");
});

test("with auto_commit what is left over goes along", async () => {
  const room = openRoom({ files });
  await begin(room, { auto_commit: true });
  room.put({ "one.txt": "1\n", "two.txt": "2\n" });
  expect(await room.ok(forgeCommitChanges, { message: "x", files: ["one.txt"] })).toMatchObject({
    files_modified: ["one.txt", "two.txt"],
    branch_merged: true,
  });
});

test("with create_branch: false it is committed where the person is", async () => {
  const room = openRoom({ files });
  await begin(room, { create_branch: false });
  room.put({ "one.txt": "1\n" });
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({
    branch_merged: false,
    branch_deleted: false,
    task_status: "completed",
    success: true,
  });
  expect(room.git("log", "--format=%s", "main")).toBe("x\nfirst");
});

test("with finish: branch it stays for a pull request, and the folder is back on the base", async () => {
  const room = openRoom({ files });
  const { branch } = await begin(room, { finish: "branch" });
  room.put({ "one.txt": "1\n" });
  const answer = await room.ok(forgeCommitChanges, { message: "x" });
  expect(answer).toMatchObject({ branch_merged: false, branch_kept: branch, task_status: "completed" });
  expect(answer["warnings"]).toBeUndefined();
  expect(room.git("branch", "--show-current")).toBe("main");
  expect(room.git("log", "--format=%s", branch)).toBe("x\nfirst");
});

test("with finish: branch a work tree is gone, and its branch stays", async () => {
  const room = openRoom({ files });
  const { branch, root } = await begin(room, { finish: "branch", isolation: "worktree" });
  room.put({ "one.txt": "1\n" }, root);
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({ branch_kept: branch, success: true });
  expect(room.has(".", root)).toBe(false);
  expect(room.git("log", "--format=%s", branch)).toBe("x\nfirst");
});

test("a work tree is merged past a person's changes in other files, and gone", async () => {
  const room = openRoom({ files });
  room.put({ "keep.txt": "mine\n" });
  const { root } = await begin(room, { isolation: "worktree" });
  room.put({ "src/auth.rs": "one\n" }, root);
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({
    branch_merged: true,
    branch_deleted: true,
  });
  expect(room.has(".", root)).toBe(false);
  expect(room.text("src/auth.rs")).toBe("one\n");
  expect(room.git("status", "--porcelain")).toBe(" M keep.txt");
  expect(room.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
});

test("a person's changes in the same files keep the branch; once they are out of the way it is merged", async () => {
  const room = openRoom({ files });
  room.put({ "keep.txt": "mine\n" });
  const { root, branch } = await begin(room, { isolation: "worktree" });
  room.put({ "keep.txt": "the task's\n" }, root);
  const kept = await room.ok(forgeCommitChanges, { message: "x" });
  expect(kept).toMatchObject({ branch_merged: false, branch_kept: branch, task_status: "in_progress", success: false });
  expect(JSON.stringify(kept["warnings"])).toContain("keep.txt");
  expect(room.text("keep.txt")).toBe("mine\n");
  room.git("checkout", "--", "keep.txt");
  expect(await room.ok(forgeCommitChanges, { message: "again" })).toMatchObject({
    branch_merged: true,
    task_status: "completed",
    files_modified: [],
    commit_hash: kept["commit_hash"],
  });
  expect(room.text("keep.txt")).toBe("the task's\n");
});

test("a conflict is an error with its files; both sides stay as they were", async () => {
  const room = openRoom({ files });
  const { task, root, branch, id } = await begin(room, { isolation: "worktree" });
  room.put({ "keep.txt": "the task's\n" }, root);
  room.put({ "keep.txt": "the person's\n" });
  room.git("commit", "--quiet", "--all", "--message", "theirs");
  const base = room.git("rev-parse", "main");
  const refusal = await room.refused(forgeCommitChanges, { message: "x" });
  expect(refusal).toMatchObject({
    code: "CONFLICT_ERROR",
    details: { files: ["keep.txt"], branch, base: "main", branch_merged: false },
  });
  expect(room.git("rev-parse", "main")).toBe(base);
  expect(room.git("log", "-1", "--format=%s", branch)).toBe("x");
  expect(room.git("status", "--porcelain")).toBe("");
  expect((await room.board.task(task.blockId, task.id)).status).toBe("in_progress");
  // It is put right on the branch, and goes on.
  room.gitIn(root, "merge", "--quiet", "--strategy-option=ours", "main");
  expect(await room.ok(forgeCommitChanges, { message: "y", execution_id: id })).toMatchObject({ branch_merged: true });
  expect(room.text("keep.txt")).toBe("the task's\n");
});

test("with rollback_on_failure a conflict ends it: failed, back on the base, the branch stays", async () => {
  const room = openRoom({ files });
  const { task, branch } = await begin(room, { rollback_on_failure: true });
  room.put({ "keep.txt": "the task's\n" });
  moveBase(room, { "keep.txt": "the person's\n" });
  const refusal = await room.refused(forgeCommitChanges, { message: "x" });
  expect(refusal.code).toBe("CONFLICT_ERROR");
  expect(room.git("branch", "--show-current")).toBe("main");
  expect(room.git("log", "-1", "--format=%s", branch)).toBe("x");
  expect((await room.board.task(task.blockId, task.id)).status).toBe("failed");
});

test("failing tests block the merge; the commit stays, and passing ones let it through", async () => {
  let status: TestRun["status"] = "failed";
  const room = openRoom({ files, runTests: async () => testRun(status) });
  const { branch, id } = await begin(room, { run_tests: true });
  room.put({ "one.txt": "1\n" });
  const failed = await room.ok(forgeCommitChanges, { message: "x" });
  expect(failed).toMatchObject({
    branch_merged: false,
    branch_kept: branch,
    task_status: "in_progress",
    success: false,
    tests: { status: "failed", failed: 1 },
  });
  expect(String(failed["summary"])).toContain("adds up");
  expect(room.git("log", "-1", "--format=%s", branch)).toBe("x");
  expect(room.logged).toContainEqual(["warning", "test_failure a.test.ts:3: adds up: 1 is not 2"]);
  const seen = await room.ok(forgeGetExecution, { execution_id: id });
  expect(seen).toMatchObject({ issues: [{ type: "test_failure", file: "a.test.ts", line: 3 }] });
  status = "passed";
  const passed = await room.ok(forgeCommitChanges, { message: "again" });
  expect(passed).toMatchObject({ branch_merged: true, task_status: "completed", tests: { status: "passed" } });
});

test("tests that cannot be run block it as well, and rollback_on_failure ends it", async () => {
  const room = openRoom({ files });
  room.runtime.services.tests.run = () => Promise.reject(new ForgeError("TRUST_REQUIRED", "It is not trusted."));
  const { task, branch } = await begin(room, { run_tests: true, rollback_on_failure: true });
  room.put({ "one.txt": "1\n" });
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({
    branch_merged: false,
    branch_kept: branch,
    task_status: "failed",
    warnings: ["Not merged: the tests could not run. It is not trusted."],
  });
  expect(room.git("branch", "--show-current")).toBe("main");
  expect((await room.board.task(task.blockId, task.id)).status).toBe("failed");
});

test("hooks run where a person has trusted them, and only then", async () => {
  const room = openRoom({ files });
  room.hook("pre-commit", "echo checked by the hook");
  await begin(room);
  room.put({ "one.txt": "1\n" });
  const untrusted = await room.ok(forgeCommitChanges, { message: "x", complete: false });
  expect(untrusted["hooks_output"]).toBeUndefined();
  expect(JSON.stringify(untrusted["warnings"])).toContain("pre-commit");
  await room.trustAll();
  room.put({ "two.txt": "1\n" });
  const trusted = await room.ok(forgeCommitChanges, { message: "y" });
  expect(trusted).toMatchObject({ hooks_output: "checked by the hook", branch_merged: true });
  expect(trusted["warnings"]).toBeUndefined();
});

test("where the folder is on another branch by now, nothing is committed", async () => {
  const room = openRoom({ files });
  await begin(room);
  room.put({ "one.txt": "1\n" });
  room.git("checkout", "--quiet", "-b", "elsewhere");
  const refusal = await room.refused(forgeCommitChanges, { message: "x" });
  expect(refusal).toMatchObject({ code: "CONFLICT_ERROR", details: { found: "elsewhere" } });
  expect(room.git("log", "--format=%s")).toBe("first");
});

test("nothing changed is nothing to commit; a name that is not there is said", async () => {
  const room = openRoom({ files });
  await begin(room);
  expect((await room.refused(forgeCommitChanges, { message: "x" })).message).toContain("nothing to commit");
  room.put({ "one.txt": "1\n" });
  const refusal = await room.refused(forgeCommitChanges, { message: "x", files: ["one.txt", "typo.txt"] });
  expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", details: { paths: ["typo.txt"] } });
  const outside = await room.refused(forgeCommitChanges, { message: "x", files: ["../other.txt"] });
  expect(["VALIDATION_ERROR", "PERMISSION_DENIED"]).toContain(outside.code);
  expect(await room.ok(forgeCommitChanges, { message: "x", files: ["./one.txt", "keep.txt"] })).toMatchObject({
    files_modified: ["one.txt"],
    warnings: ["keep.txt has not changed since its last commit, so there was nothing to commit."],
  });
});

test("what the assistant committed by itself counts as well", async () => {
  const room = openRoom({ files });
  const { task } = await begin(room);
  room.put({ "one.txt": "1\n" });
  room.git("add", "one.txt");
  room.git("commit", "--quiet", "--message", "by hand");
  const tip = room.git("rev-parse", "HEAD");
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({
    commit_hash: tip,
    branch_merged: true,
    files_modified: [],
    actions_performed: [{ type: "file_created", path: "one.txt" }, { type: "merged" }],
  });
  expect((await room.board.task(task.blockId, task.id)).commitId).toBe(tip);
});

test("a ticket that owns the task is named, and left to whoever owns it", async () => {
  const room = openRoom({ files });
  await begin(room, {}, { ticketId: "T-007" });
  room.put({ "one.txt": "1\n" });
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({ ticket: "T-007" });
});

test("four at once in work trees: all merged, nothing lost", async () => {
  const room = openRoom({ files });
  const names = ["one", "two", "three", "four"];
  const principals = names.map((name) => ({ ...bob, instance: name }));
  const begun = await Promise.all(
    names.map((name, index) => begin(room, { isolation: "worktree" }, { name, block: name }, principals[index])),
  );
  for (const [index, { root }] of begun.entries()) room.put({ [`${names[index]}.txt`]: `${names[index]}\n` }, root);
  const answers = await Promise.all(
    names.map((name, index) => room.ok(forgeCommitChanges, { message: name }, principals[index])),
  );
  for (const answer of answers) expect(answer).toMatchObject({ branch_merged: true, branch_deleted: true });
  expect(names.map((name) => room.text(`${name}.txt`))).toEqual(names.map((name) => `${name}\n`));
  expect(room.git("branch", "--format=%(refname:short)")).toBe("main");
  expect(room.git("status", "--porcelain")).toBe("");
  expect(room.git("fsck", "--no-progress")).not.toContain("missing");
  const { executions } = await room.ok<{ executions: { status: string }[] }>(forgeListExecutions, {});
  expect(executions.map(({ status }) => status)).toEqual(Array(4).fill("completed"));
});

/** Somebody else commits to the base meanwhile, from a folder of theirs. */
function moveBase(room: Room, written: Record<string, string>): void {
  const folder = `${room.sandbox.root}/theirs`;
  room.git("worktree", "add", "--quiet", folder, "main");
  room.put(written, folder);
  room.gitIn(folder, "add", "--all");
  room.gitIn(folder, "commit", "--quiet", "--message", "theirs");
  room.git("worktree", "remove", folder);
}

function testRun(status: TestRun["status"]): TestRun {
  const failures = status === "failed" ? [{ name: "adds up", file: "a.test.ts", line: 3, message: "1 is not 2" }] : [];
  return {
    id: `test_${status}`,
    at: Date.now(),
    runner: "vitest",
    command: ["vitest", "run"],
    scope: "all",
    included: "all",
    status,
    total: 2,
    passed: 2 - failures.length,
    failed: failures.length,
    skipped: 0,
    durationMs: 2_345,
    exitCode: failures.length,
    failures,
    omittedFailures: 0,
    origin: { from: "tree" },
    withheld: [],
    notes: [],
    output: "",
  };
}
