import { expect, test } from "vitest";
import { type Operation, operate } from "../../../../test/harness/commons/operate.ts";
import { ada, openRoom, type Room } from "../../../../test/harness/rooms/workbench/workbench-executions.ts";
import type { ForgeError } from "../../../kernel/errors.ts";
import type { ExecutionDiff } from "../model/execution-model.ts";
import { forgeCancelExecution } from "../tools/executions/forge-cancel-execution.ts";
import { forgeCommitChanges } from "../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../tools/executions/forge-execute-task.ts";
import { forgeGetExecution } from "../tools/executions/forge-get-execution.ts";
import { forgeWriteFile } from "../tools/files/forge-write-file.ts";

type Started = { execution_id: string; root: string; branch_created: string };

async function begin(room: Room, options = {}, draft = {}) {
  const { blockId, id } = await room.task(draft);
  const input = { block_id: blockId, task_id: id, options };
  return { ...(await room.ok<Started>(forgeExecuteTask, input)), input };
}

/** As `forge run diff` asks for it. */
async function diff(
  room: Room,
  id: string,
): Promise<Partial<ExecutionDiff> & { text: string; error?: ForgeError["code"]; said: string }> {
  const operation: Operation<Room["runtime"]["services"], ExecutionDiff> = {
    name: "forge run diff",
    effect: "read",
    toolset: "workbench",
    about: [],
    run: ({ executions }, call) => executions.diff(call, id),
  };
  const caller = {
    principal: ada,
    signal: new AbortController().signal,
    report: () => undefined,
    log: () => undefined,
    canAsk: () => false,
    ask: async () => ({}),
  };
  const outcome = await operate(room.runtime, operation, caller);
  if (outcome.kind === "value") return { ...outcome.value, text: outcome.value.bytes.toString(), said: "" };
  if (outcome.kind === "error") {
    const { code, message, next = [] } = outcome.body;
    return { text: "", error: code, said: [message, ...next.map((action) => JSON.stringify(action))].join(" ") };
  }
  throw new Error(JSON.stringify(outcome));
}

const changed = "-one\n+the task's\n";

test("of an execution that was merged it is what it committed, and nothing that others did since", async () => {
  const room = openRoom({ files: { "a.txt": "one\n", "b.txt": "two\n" } });
  const { execution_id, root } = await begin(room, { isolation: "worktree" });
  room.put({ "a.txt": "the task's\n", "new.txt": "new\n" }, root);
  const open = await diff(room, execution_id);
  room.put({ "b.txt": "the person's\n" });
  room.git("commit", "--quiet", "--all", "--message", "beside it");
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({
    branch_merged: true,
    branch_deleted: true,
  });
  room.put({ "a.txt": "later, and not committed\n" });
  const { text } = await diff(room, execution_id);
  expect(text).toBe(open.text);
  expect(text).toContain(changed);
  expect(text).toContain("+++ b/new.txt\n");
  expect(text).not.toContain("b.txt b/b.txt");
});

test("of one whose branch stays it is the same, also in place and without a branch of its own", async () => {
  const room = openRoom();
  const kept = await begin(room, { isolation: "worktree", finish: "branch" });
  room.put({ "a.txt": "the task's\n" }, kept.root);
  await room.ok(forgeCommitChanges, { message: "x" });
  const here = await begin(room, { create_branch: false }, { name: "Other" });
  room.put({ "a.txt": "the task's\n" });
  await room.ok(forgeCommitChanges, { message: "y" });
  for (const { execution_id } of [kept, here]) expect((await diff(room, execution_id)).text).toContain(changed);
});

test("of one that was cancelled it is what stayed on its branch, committed past Forge too", async () => {
  const room = openRoom();
  const { execution_id, root } = await begin(room, { isolation: "worktree" });
  room.put({ "a.txt": "the task's\n" }, root);
  room.gitIn(root, "commit", "--quiet", "--all", "--message", "by hand");
  await room.ok(forgeCancelExecution, {});
  expect((await diff(room, execution_id)).text).toContain(changed);
});

test("what was never committed is no diff of git's: it is said, and what is left of it", async () => {
  const room = openRoom();
  const { execution_id, root, input, branch_created } = await begin(room, { isolation: "worktree" });
  await room.ok(forgeCancelExecution, {});
  expect(await diff(room, execution_id)).toMatchObject({
    error: "NOT_FOUND",
    said: expect.stringMatching(/Nothing was committed in exec_\w+ \(cancelled\).*forge_get_execution/),
  });
  const next = await room.ok<Started>(forgeExecuteTask, input);
  expect([next.branch_created, next.root === root]).toEqual([branch_created, false]);
  room.put({ "a.txt": "the next one's\n" }, next.root);
  await room.ok(forgeCommitChanges, { message: "x", complete: false });
  expect(await diff(room, execution_id), "a branch of the same name is another's").toMatchObject({
    error: "NOT_FOUND",
  });
});

test("where git has cleaned up it says so, and the counts are still there", async () => {
  const room = openRoom();
  const { execution_id, root, branch_created } = await begin(room, { isolation: "worktree" });
  room.put({ "a.txt": "the task's\n" }, root);
  await room.ok(forgeCommitChanges, { message: "x", complete: false });
  await room.ok(forgeCancelExecution, {});
  room.git("branch", "--quiet", "-D", branch_created);
  expect((await diff(room, execution_id)).text, "git keeps it for a while").toContain(changed);
  room.git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all");
  room.git("gc", "--quiet", "--prune=now");
  expect(await diff(room, execution_id)).toMatchObject({
    error: "NOT_FOUND",
    said: expect.stringMatching(/git no longer has commit [0-9a-f]{12} of exec_\w+: its branch .*forge_get_execution/),
  });
  expect(await room.ok(forgeGetExecution, { execution_id })).toMatchObject({ files: [{ path: "a.txt" }] });
});

test("E05 it runs nothing that the repository brings", async () => {
  const room = openRoom({ files: { "a.txt": "one\n", ".gitattributes": "* diff=own\n" } });
  const { execution_id, root } = await begin(room, { isolation: "worktree" });
  room.put({ "a.txt": "the task's\n" }, root);
  await room.ok(forgeCommitChanges, { message: "x" });
  for (const name of ["diff.own.command", "diff.own.textconv", "diff.external", "core.pager", "core.fsmonitor"])
    room.git("config", name, `touch ${room.project}/ran; cat`);
  expect((await diff(room, execution_id)).text).toContain(changed);
  expect(room.has("ran")).toBe(false);
});

test("in place it is without a person's files, those from before and those that may be theirs, and names the latter", async () => {
  const room = openRoom({ files: { "a.txt": "one\n", "b.txt": "two\n" } });
  room.put({ "notes-private.txt": "secret\n" });
  const { execution_id } = await begin(room);
  await room.ok(forgeWriteFile, { file_path: "a.txt", content: "the task's\n" });
  room.put({ "b.txt": "the person's\n", "u.txt": "the person's\n" });
  const { text, aside } = await diff(room, execution_id);
  expect(text).toContain(changed);
  expect(text.match(/^diff --git/gm)).toHaveLength(1);
  expect(aside).toEqual(["b.txt", "u.txt"]);
});

/** What an execution's record names, and its timeline. */
async function named(room: Room, execution_id: string, principal = ada) {
  const record = await room.ok<{ files: { path: string }[]; timeline: { kind: string; message: string }[] }>(
    forgeGetExecution,
    { execution_id },
    principal,
  );
  const events = record.timeline.filter(({ kind }) => kind === "file").map(({ message }) => message);
  return { files: record.files.map(({ path }) => path), events };
}

test("what the base brought, merged into the branch, is not the execution's: not in its diff, nor in its record", async () => {
  for (const finish of ["merge", "branch"]) {
    const room = openRoom({ files: { "a.txt": "one\n", "b.txt": "two\n" } });
    const { execution_id, root } = await begin(room, { isolation: "worktree", finish });
    room.put({ "a.txt": "the task's\n" }, root);
    await room.ok(forgeCommitChanges, { message: "x", complete: false });
    room.put({ "other.txt": "the base's\n", "b.txt": "the base's\n" });
    room.git("add", "--all");
    room.git("commit", "--quiet", "--message", "beside it");
    room.gitIn(root, "merge", "--quiet", "--no-edit", "main");
    room.put({ "new.txt": "new\n" }, root);
    const own = ["diff --git a/a.txt b/a.txt", "diff --git a/new.txt b/new.txt"];
    expect((await diff(room, execution_id)).text.match(/^diff --git .*$/gm)).toEqual(own);
    await room.ok(forgeCommitChanges, { message: "y" });
    if (finish === "branch")
      room.git("merge", "--quiet", "--no-edit", "--no-ff", room.git("branch", "--list", "task-*").trim());
    expect((await diff(room, execution_id)).text.match(/^diff --git .*$/gm)).toEqual(own);
    expect(await named(room, execution_id)).toEqual({
      files: ["a.txt", "new.txt"],
      events: ["modified a.txt", "created new.txt"],
    });
  }
});

test("what comes with a merge that is not ended yet is not told as the execution's", async () => {
  const room = openRoom();
  const { execution_id, root } = await begin(room, { isolation: "worktree" });
  room.put({ "a.txt": "the task's\n" }, root);
  await room.ok(forgeCommitChanges, { message: "x", complete: false });
  room.put({ "other.txt": "the base's\n", "a.txt": "the base's\n" });
  room.git("add", "--all");
  room.git("commit", "--quiet", "--message", "beside it");
  expect(() => room.gitIn(root, "merge", "--quiet", "main")).toThrow();
  await room.refused(forgeCommitChanges, { message: "y" });
  room.put({ "a.txt": "both\n" }, root);
  room.gitIn(root, "commit", "--quiet", "--all", "--no-edit");
  await room.ok(forgeCommitChanges, { message: "y" });
  expect(await named(room, execution_id)).toEqual({ files: ["a.txt"], events: ["modified a.txt"] });
  expect((await diff(room, execution_id)).text).toContain("-the base's\n+both\n");
});

test("what is completed by naming leaves a record of that, and not of a person's work beside it", async () => {
  const room = openRoom({ files: { "a.txt": "one\n", "b.txt": "two\n", "lock.json": "{}\n" } });
  const { execution_id } = await begin(room);
  await room.ok(forgeWriteFile, { file_path: "a.txt", content: "the task's\n" });
  room.put({ "b.txt": "the person's\n", "u.txt": "the person's\n", "lock.json": "{1}\n" });
  expect((await named(room, execution_id)).files).toEqual(["a.txt"]);
  await room.ok(forgeCommitChanges, { message: "x", files: ["a.txt", "lock.json"] });
  expect(await named(room, execution_id)).toEqual({
    files: ["a.txt", "lock.json"],
    events: ["modified a.txt", "modified lock.json"],
  });
});

test("two who look, and differ on whose a change is, make no story of it", async () => {
  const room = openRoom();
  const { execution_id } = await begin(room);
  room.put({ "a.txt": "anybody's\n" });
  const throughForge = { ...ada, writesThroughForge: true } as const;
  expect((await named(room, execution_id)).files).toEqual(["a.txt"]);
  expect((await named(room, execution_id, throughForge)).files).toEqual([]);
  expect(await named(room, execution_id)).toEqual({ files: ["a.txt"], events: ["modified a.txt"] });
});

test("a person's change of a file that was committed for the task is not counted as the task's", async () => {
  const room = openRoom({ files: { "a.txt": "one\n", "b.txt": "two\n" } });
  const { execution_id } = await begin(room);
  await room.ok(forgeWriteFile, { file_path: "a.txt", content: "the task's\n" });
  await room.ok(forgeCommitChanges, { message: "x", complete: false });
  room.put({ "a.txt": "the task's\nmine\nmine\n" });
  expect(await room.ok(forgeGetExecution, { execution_id })).toMatchObject({
    files: [{ path: "a.txt", lines_added: 1, lines_removed: 1 }],
  });
});

test("what the set-up left is in neither", async () => {
  const room = openRoom({ files: { "a.txt": "one\n" } });
  room.put({ ".forge/workbench.json": JSON.stringify({ setupCommand: ["sh", "-c", "echo generated > gen.txt"] }) });
  await room.trustAll();
  const { execution_id, root } = await begin(room, { isolation: "worktree" });
  await expect.poll(() => room.has("gen.txt", root)).toBe(true);
  room.put({ "a.txt": "the task's\n" }, root);
  expect((await diff(room, execution_id)).text).not.toContain("gen.txt");
  await room.ok(forgeCommitChanges, { message: "x" });
  expect((await named(room, execution_id)).files).toEqual(["a.txt"]);
});
