import { expect, test, vi } from "vitest";
import { describeOnEngines } from "../../../../test/harness/db/store.ts";
import { ada, bob, openRoom, type Room } from "../../../../test/harness/rooms/workbench/workbench-executions.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { forgeCancelExecution } from "../tools/executions/forge-cancel-execution.ts";
import { forgeCommitChanges } from "../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../tools/executions/forge-execute-task.ts";
import { forgeGetExecution } from "../tools/executions/forge-get-execution.ts";
import { forgeListExecutions } from "../tools/executions/forge-list-executions.ts";

type Started = { execution_id: string; root: string; branch_created: string; resumed: boolean; warnings?: string[] };

async function begin(room: Room, options = {}, draft = {}, principal: Principal = ada) {
  const task = await room.task(draft);
  const input = { block_id: task.blockId, task_id: task.id, options };
  const started = await room.ok<Started>(forgeExecuteTask, input, principal);
  return { ...started, task, input };
}

async function renewedAt(room: Room, { blockId, id }: { blockId: string; id: string }): Promise<number> {
  const leases = room.database.forTables<{ lease: { name: string; renewed_at: number } }>();
  const lease = await leases.read((db) =>
    db.selectFrom("lease").select("renewed_at").where("name", "=", `task:${blockId}/${id}`).executeTakeFirstOrThrow(),
  );
  return lease.renewed_at;
}

describeOnEngines("executions", (engine) => {
  test("from start to merge, and what is left of it", async () => {
    const room = openRoom({ place: await engine.fresh() });
    const { task } = await begin(room, { isolation: "worktree" });
    const { root } = await room.ok<Started>(forgeExecuteTask, { block_id: task.blockId, task_id: task.id });
    room.put({ "new.txt": "new\n" }, root);
    expect(await room.ok(forgeGetExecution, {})).toMatchObject({ files: [{ path: "new.txt" }] });
    expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({ branch_merged: true });
    const other = await begin(room, {}, { name: "Other" });
    await room.ok(forgeCancelExecution, { execution_id: other.execution_id });
    expect(await room.ok(forgeListExecutions, {})).toMatchObject({
      total: 2,
      executions: [{ status: "cancelled" }, { status: "completed" }],
    });
    const timeline = await room.ok<{ timeline: { kind: string }[] }>(forgeGetExecution, {
      execution_id: String(other.execution_id),
    });
    expect(timeline.timeline.map(({ kind }) => kind)).toEqual(["started", "cancelled"]);
  });
});

test("a server that ended lets its tasks go: the next takes them up where they were left, and is told", async () => {
  const room = openRoom();
  const { execution_id, branch_created, input } = await begin(room);
  room.put({ "new.txt": "half done\n" });
  await room.close();
  const next = openRoom({ beside: room });
  const taken = await next.ok<Started>(forgeExecuteTask, input, bob);
  expect(taken).toMatchObject({ execution_id, branch_created, root: room.project, resumed: true });
  expect(taken.warnings?.join()).toContain("Taken over from ada/assistant#");
  expect(next.text("new.txt")).toBe("half done\n");
  expect(await next.ok(forgeCommitChanges, { message: "x" }, bob)).toMatchObject({ branch_merged: true });
});

test("after a restart the caller's only open execution is meant; of several, it must say which", async () => {
  const room = openRoom();
  const one = await begin(room, { isolation: "worktree" }, { name: "One" });
  await room.close();
  const next = openRoom({ beside: room });
  expect(await next.ok(forgeGetExecution, {}, bob)).toMatchObject({ execution_id: one.execution_id });
  const two = await begin(next, { isolation: "worktree" }, { name: "Two" });
  await next.close();
  const last = openRoom({ beside: room });
  const refusal = await last.refused(forgeGetExecution, {}, bob);
  expect(refusal.message).toContain("2 executions are open");
  expect(refusal.next?.join()).toContain(one.execution_id);
  expect(refusal.next?.join()).toContain(two.execution_id);
});

test("without an id it is the connection's latest open one", async () => {
  const room = openRoom();
  const one = await begin(room, { isolation: "worktree" }, { name: "One" });
  const two = await begin(room, { isolation: "worktree" }, { name: "Two" });
  expect(await room.ok(forgeGetExecution, {})).toMatchObject({ execution_id: two.execution_id });
  await room.ok(forgeCancelExecution, {});
  expect(await room.ok(forgeGetExecution, {})).toMatchObject({ execution_id: one.execution_id });
});

test("another's execution can be looked at and not written in; nor can a person's own files", async () => {
  const room = openRoom();
  room.put({ "Notes.txt": "mine\n" });
  const { execution_id: id } = await begin(room);
  expect((await room.refused(forgeCommitChanges, { message: "x", execution_id: id }, bob)).code).toBe("CONFLICT_ERROR");
  const { executions } = room;
  const { signal } = new AbortController();
  const [execution] = (await executions.list({})).executions;
  if (!execution) throw new Error("one was begun");
  const workspace = { execution, path: execution.root, files: undefined as never };
  await expect(executions.requireWritable(workspace, "./Notes.txt", signal)).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
  });
  await expect(executions.requireWritable(workspace, "new.txt", signal)).resolves.toMatchObject({ id });
  await expect(
    executions.requireWritable({ ...workspace, execution: undefined }, "new.txt", signal),
  ).rejects.toMatchObject({
    next: [expect.objectContaining({ tool: "forge_execute_task" }), expect.anything()],
  });
});

test("a commit that is cancelled in a hook is not made, and can be made again", async () => {
  const room = openRoom();
  room.hook("pre-commit", "if [ -e .git/slow ]; then touch .git/entered; sleep 60; fi");
  await room.trustAll();
  const { branch_created } = await begin(room);
  room.put({ "new.txt": "new\n", ".git/slow": "" });
  const stop = new AbortController();
  const committing = room.call(forgeCommitChanges, { message: "x" }, ada, stop.signal);
  await expect.poll(() => room.has(".git/entered"), { timeout: 20_000 }).toBe(true);
  stop.abort();
  expect(await committing).toMatchObject({ kind: "error", body: { code: "CANCELLED" } });
  expect(room.git("log", "--format=%s", branch_created)).toBe("first");
  room.remove(".git/slow");
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({ branch_merged: true });
});

test("a hook that refuses leaves the execution as it was, with its words", async () => {
  const room = openRoom();
  room.hook("pre-commit", "echo no such luck >&2; exit 1");
  await room.trustAll();
  await begin(room);
  room.put({ "new.txt": "new\n" });
  const refusal = await room.refused(forgeCommitChanges, { message: "x" });
  expect(JSON.stringify(refusal)).toContain("no such luck");
  expect(room.git("status", "--porcelain")).toBe("?? new.txt");
  expect(await room.ok(forgeGetExecution, {})).toMatchObject({ status: "running", stage: "implementing" });
});

test("a work tree that no execution knows is said at the next start, and left alone", async () => {
  const room = openRoom();
  const folder = `${room.project}/.forge/worktrees/stray`;
  await room.task();
  room.git("worktree", "add", "--quiet", "-b", "stray", folder);
  const { warnings } = await room.ok<{ warnings?: string[] }>(forgeListExecutions, {});
  expect(warnings?.join()).toContain(folder);
  expect(room.has("a.txt", folder)).toBe(true);
  const started = await begin(room);
  expect(started.warnings).toEqual(warnings);
});

test("where the base is gone by the end the branch stays, and it is said", async () => {
  const room = openRoom();
  const { branch_created } = await begin(room);
  room.put({ "new.txt": "new\n" });
  room.git("branch", "--quiet", "--delete", "--force", "main");
  const answer = await room.ok(forgeCommitChanges, { message: "x" });
  expect(answer).toMatchObject({ branch_merged: false, branch_kept: branch_created, task_status: "in_progress" });
  expect(String(answer["summary"])).toContain("main");
});

test("outside a repository tasks can be listed and none be executed", async () => {
  const { sandbox } = openRoom();
  const room = openRoom({ beside: { sandbox, project: `${sandbox.root}/home` } });
  const task = await room.task();
  expect(await room.ok(forgeListExecutions, {})).toEqual({ executions: [], total: 0 });
  const refusal = await room.refused(forgeExecuteTask, { block_id: task.blockId, task_id: task.id });
  expect(refusal).toMatchObject({ code: "NOT_FOUND", error: "Not a git repository" });
  expect((await room.board.task(task.blockId, task.id)).status).toBe("pending");
});

test("eight who want one task at once: one gets it, the others are told by whom it was taken", async () => {
  const room = openRoom();
  const other = openRoom({ beside: room });
  const task = await room.task();
  const input = { block_id: task.blockId, task_id: task.id, options: { isolation: "worktree" } };
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      (index % 2 === 0 ? room : other).call(forgeExecuteTask, input, { ...ada, instance: `connection-${index}` }),
    ),
  );
  expect(outcomes.filter(({ kind }) => kind === "value")).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.kind === "error") expect(outcome.body).toMatchObject({ code: "CONFLICT_ERROR" });
  }
  expect(room.git("branch", "--list", "task-*").split("\n")).toHaveLength(1);
});

test("two servers on one repository: neither disturbs the other", async () => {
  const room = openRoom();
  const other = openRoom({ beside: room });
  const mine = await begin(room, { isolation: "worktree" }, { name: "Mine" });
  const theirs = await begin(other, { isolation: "worktree" }, { name: "Theirs" }, bob);
  room.put({ "mine.txt": "mine\n" }, mine.root);
  other.put({ "theirs.txt": "theirs\n" }, theirs.root);
  const answers = await Promise.all([
    room.ok(forgeCommitChanges, { message: "mine" }),
    other.ok(forgeCommitChanges, { message: "theirs" }, bob),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ branch_merged: true, task_status: "completed" });
  expect(room.text("mine.txt") + room.text("theirs.txt")).toBe("mine\ntheirs\n");
  expect(room.git("status", "--porcelain")).toBe("");
});

test("a claim lasts two minutes, and is kept while its holder's server runs and its holder calls", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    let ahead = 0;
    const room = openRoom({ now: () => Date.now() + ahead });
    const { task } = await begin(room);
    const { claim } = await room.board.task(task.blockId, task.id);
    expect(Date.parse(claim?.until ?? "") - Date.now()).toBeLessThanOrEqual(120_000);
    const first = await renewedAt(room, task);
    await vi.advanceTimersByTimeAsync(30_000);
    await expect.poll(() => renewedAt(room, task), { timeout: 5_000 }).toBeGreaterThan(first);
    ahead = 31 * 60_000;
    const last = await renewedAt(room, task);
    await vi.advanceTimersByTimeAsync(90_000);
    await room.close();
    expect(await renewedAt(openRoom({ beside: room }), task)).toBe(last);
  } finally {
    vi.useRealTimers();
  }
});

test("an assistant without a connection to be told by keeps its execution by its name", async () => {
  const room = openRoom();
  const { instance: _gone, ...stateless } = ada;
  const { input, execution_id } = await begin(room, {}, {}, stateless);
  expect(await room.ok(forgeExecuteTask, input, stateless)).toMatchObject({ resumed: true, execution_id });
  room.put({ "new.txt": "new\n" });
  expect(await room.ok(forgeCommitChanges, { message: "x" }, stateless)).toMatchObject({ branch_merged: true });
});
