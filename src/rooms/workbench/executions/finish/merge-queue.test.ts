import { expect, test } from "vitest";
import { eventually } from "../../../../../test/harness/cli/processes.ts";
import { openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import type { WorkbenchTables } from "../../store/schema.ts";
import { forgeCancelExecution } from "../../tools/executions/forge-cancel-execution.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeGetExecution } from "../../tools/executions/forge-get-execution.ts";
import { parseIntent } from "../recovery/intents.ts";

/** More than any system gives. */
const deadProcess = 2 ** 30;

type Recorded = {
  status: string;
  stage: string;
  merge_queue?: { place: number; waiting: number; commit: string };
  timeline: { kind: string; details: Record<string, unknown> }[];
  issues: { type: string; message: string }[];
};

const recordOf = (room: Room, id: string) => room.ok<Recorded>(forgeGetExecution, { execution_id: id });
const ended = (room: Room, id: string) =>
  eventually(`the end of ${id}`, async () => (await recordOf(room, id)).status !== "running");

/** As somebody's merge that takes its time. */
async function occupy(room: Room) {
  const lease = await room.leases.claim({ name: `merge:${room.project}/.git`, holder: "another", ttlMs: 60_000 });
  if (!lease) throw new Error("the turn is not free");
  return () => room.leases.release(lease);
}

async function begin(room: Room, name: string, files: Record<string, string>, options = {}) {
  const { blockId, id: taskId } = await room.task({ name });
  const input = { block_id: blockId, task_id: taskId, options: { isolation: "worktree", ...options } };
  const {
    execution_id: id = "",
    root,
    branch_created: branch = "",
  } = await room.ok<Record<string, string>>(forgeExecuteTask, input);
  room.put(files, root);
  const status = async () => (await room.board.task(blockId, taskId)).status;
  return { id, branch, root: String(root), status, commit: () => commit(room, id) };
}

function commit(room: Room, id: string) {
  return room.ok<Record<string, unknown>>(forgeCommitChanges, { message: "Work", execution_id: id });
}

test("a commit that would wait too long is queued on its branch, and merged in its turn", async () => {
  const room = openRoom({ mergeWaitMs: 20 });
  const one = await begin(room, "One", { "one.txt": "1\n" });
  const two = await begin(room, "Two", { "two.txt": "2\n" });
  const release = await occupy(room);
  const answers = [await one.commit(), await two.commit()];
  for (const [index, { id, branch }] of [one, two].entries()) {
    expect(answers[index]).toMatchObject({
      merge: "queued",
      branch_merged: false,
      branch_kept: branch,
      task_status: "in_progress",
      success: true,
      next: [{ tool: "forge_get_execution", input: { execution_id: id } }],
    });
    const tip = room.git("rev-parse", branch);
    expect(answers[index]?.["commit_hash"]).toBe(tip);
    expect(await recordOf(room, id)).toMatchObject({
      stage: "queued",
      merge_queue: { place: index + 1, waiting: 2, commit: tip },
    });
  }
  expect(room.git("log", "--format=%s", "main")).toBe("first");
  await release();
  for (const { id } of [one, two]) await ended(room, id);
  expect([await one.status(), await two.status()]).toEqual(["completed", "completed"]);
  expect([room.text("one.txt"), room.text("two.txt")]).toEqual(["1\n", "2\n"]);
  expect(room.git("branch", "--format=%(refname:short)")).toBe("main");
  expect(room.git("worktree", "list").split("\n")).toHaveLength(1);
  const { timeline, merge_queue } = await recordOf(room, two.id);
  expect(merge_queue).toBeUndefined();
  expect(timeline.map(({ kind }) => kind).slice(-3)).toEqual(["queued", "merged", "completed"]);
  expect(timeline.find(({ kind }) => kind === "merged")?.details).toMatchObject({
    tested: false,
    untested: expect.stringContaining("run_tests is off"),
  });
});

test("the queue outlives the process that filled it, also one that was killed in the middle of the merge", async () => {
  const room = openRoom({ mergeWaitMs: 20 });
  const one = await begin(room, "One", { "one.txt": "1\n" });
  const two = await begin(room, "Two", { "two.txt": "2\n" });
  const release = await occupy(room);
  await one.commit();
  await two.commit();
  const rows = room.database.forTables<WorkbenchTables>();
  await room.executions.stop();
  // As the process leaves it: one before, the other in the middle of its merge.
  await rows.transaction(async (tx) => {
    for (const row of await tx.selectFrom("execution").selectAll().execute()) {
      const { deed } = parseIntent(String(row.intent));
      const tip = room.git("rev-parse", String(row.branch));
      const step = row.id === two.id ? { kind: "merge", tip, queued: deed } : deed;
      const intent = JSON.stringify({ pid: deadProcess, mark: "another", deed: step });
      await tx.updateTable("execution").set({ intent }).where("id", "=", row.id).execute();
    }
  });
  await release();
  await room.close();
  const next = openRoom({ beside: room });
  for (const { id } of [one, two]) await ended(next, id);
  expect(next.git("show", "main:one.txt")).toBe("1");
  expect(next.git("show", "main:two.txt")).toBe("2");
  const { timeline, status } = await recordOf(next, two.id);
  expect(status).toBe("completed");
  expect(timeline.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["queued", "recovered", "merged"]));
});

test("what cannot be merged in its turn is open again, and its record says why", async () => {
  const room = openRoom({ mergeWaitMs: 20, files: { "a.txt": "one\n" } });
  const one = await begin(room, "One", { "a.txt": "the task's\n" });
  const release = await occupy(room);
  await one.commit();
  room.put({ "a.txt": "somebody's\n" });
  room.git("commit", "--quiet", "--all", "--message", "meanwhile");
  await release();
  await eventually("the attempt", async () => (await recordOf(room, one.id)).stage === "implementing");
  const { issues, status } = await recordOf(room, one.id);
  expect(status).toBe("running");
  expect(issues).toMatchObject([{ type: "merge_failed", message: expect.stringContaining("a.txt") }]);
  expect(room.git("show", `${one.branch}:a.txt`)).toBe("the task's");
  room.gitIn(one.root, "merge", "--quiet", "-X", "ours", "--no-edit", "main");
  expect(await one.commit()).toMatchObject({ merge: "merged", task_status: "completed" });
});

test("a cancelled execution leaves the queue; a later commit takes the place of the earlier", async () => {
  const room = openRoom({ mergeWaitMs: 20 });
  const one = await begin(room, "One", { "one.txt": "1\n" });
  const two = await begin(room, "Two", { "two.txt": "2\n" });
  const release = await occupy(room);
  await one.commit();
  await two.commit();
  await room.ok(forgeCancelExecution, { execution_id: one.id });
  expect(await recordOf(room, two.id)).toMatchObject({ merge_queue: { place: 1, waiting: 1 } });
  room.put({ "two.txt": "22\n" }, two.root);
  await two.commit();
  expect(await recordOf(room, two.id)).toMatchObject({ merge_queue: { commit: room.git("rev-parse", two.branch) } });
  await release();
  await ended(room, two.id);
  expect(room.text("two.txt")).toBe("22\n");
  expect(room.has("one.txt")).toBe(false);
  expect(await one.status()).toBe("pending");
});

test("the merge result is tested in its turn, and the base stays where it is if that fails", async () => {
  const files = {
    "package.json": '{"scripts":{"test":"node --test"}}',
    "sums.js": "exports.add = (a, b) => a + b;\n",
    "a.test.js": 'const { add } = require("./sums.js");\nrequire("node:test")("adds", () => add(1, 1));\n',
  };
  const room = openRoom({ mergeWaitMs: 20, files });
  await room.trustAll();
  const renamed = {
    "sums.js": "exports.sum = (a, b) => a + b;\n",
    "a.test.js": files["a.test.js"].replaceAll("add", "sum"),
  };
  const one = await begin(room, "One", renamed, { run_tests: true });
  const release = await occupy(room);
  expect(await one.commit()).toMatchObject({ merge: "queued", tests: { status: "passed" } });
  room.put({ "b.test.js": files["a.test.js"] });
  room.git("add", "b.test.js");
  room.git("commit", "--quiet", "--message", "meanwhile");
  const base = room.git("rev-parse", "main");
  await release();
  await eventually("the attempt", async () => (await recordOf(room, one.id)).stage === "implementing", 60_000);
  expect(room.git("rev-parse", "main")).toBe(base);
  const { issues } = await recordOf(room, one.id);
  expect(issues.at(-1)).toMatchObject({ type: "merge_failed", message: expect.stringContaining("together with") });
});
