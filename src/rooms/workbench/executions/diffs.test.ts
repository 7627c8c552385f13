import { expect, test } from "vitest";
import { ada, openRoom, type Room } from "../../../../test/harness/workbench-executions.ts";
import type { ForgeError } from "../../../kernel/errors.ts";
import { type Operation, operate } from "../../../kernel/operate.ts";
import { forgeCancelExecution } from "../tools/forge-cancel-execution.ts";
import { forgeCommitChanges } from "../tools/forge-commit-changes.ts";
import { forgeExecuteTask } from "../tools/forge-execute-task.ts";
import { forgeGetExecution } from "../tools/forge-get-execution.ts";

type Started = { execution_id: string; root: string; branch_created: string };

async function begin(room: Room, options = {}, draft = {}) {
  const { blockId, id } = await room.task(draft);
  const input = { block_id: blockId, task_id: id, options };
  return { ...(await room.ok<Started>(forgeExecuteTask, input)), input };
}

/** As `forge run diff` asks for it. */
async function diff(room: Room, id: string): Promise<{ text: string; error?: ForgeError["code"]; said: string }> {
  const operation: Operation<Room["runtime"]["services"], { text: string }> = {
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
  if (outcome.kind === "value") return { text: outcome.value.text, said: "" };
  if (outcome.kind === "error") {
    const { code, message, suggestions = [] } = outcome.body;
    return { text: "", error: code, said: [message, ...suggestions].join(" ") };
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
    said: expect.stringMatching(/Nothing was committed in exec_\w+, which is cancelled.*--stat/),
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
    said: expect.stringMatching(/git does not have the commit [0-9a-f]{12} of exec_\w+ any more.*--stat/),
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
