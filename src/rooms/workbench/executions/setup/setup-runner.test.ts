import { expect, test } from "vitest";
import { openRoom } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeCancelExecution } from "../../tools/executions/forge-cancel-execution.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeGetExecution } from "../../tools/executions/forge-get-execution.ts";

const files = { "a.txt": "one\n", ".gitignore": "ready\n" };
const options = { isolation: "worktree" };

test("a new work tree is made ready by the project's command, once it is trusted", async () => {
  const room = openRoom({ files });
  const task = await room.task();
  const input = { block_id: task.blockId, task_id: task.id, options };
  room.put({
    ".forge/workbench.json":
      '{"setupCommand": ["node", "-e", "fs.writeFileSync(\'ready\', \'\'); console.log(\'made\')"]}',
  });
  const untrusted = await room.ok(forgeExecuteTask, input);
  expect(untrusted["warnings"]).toEqual([expect.stringContaining("The set-up command did not run.")]);
  expect(room.has("ready", String(untrusted["root"]))).toBe(false);
  await room.ok(forgeCancelExecution, {});
  await room.trustAll();
  const trusted = await room.ok(forgeExecuteTask, input);
  expect(trusted["warnings"]).toBeUndefined();
  expect(room.has("ready", String(trusted["root"]))).toBe(true);
  const { timeline } = await room.ok<{ timeline: { kind: string; details: object }[] }>(forgeGetExecution, {});
  expect(timeline.find(({ kind }) => kind === "setup")?.details).toMatchObject({ passed: true, output: "made\n" });
});

test("where it fails nothing is left behind, and its output is told", async () => {
  const room = openRoom({ files });
  const task = await room.task();
  room.put({
    ".forge/workbench.json": '{"setupCommand": ["node", "-e", "console.log(\'no network\'); process.exit(3)"]}',
  });
  await room.trustAll();
  const refusal = await room.refused(forgeExecuteTask, { block_id: task.blockId, task_id: task.id, options });
  expect(refusal).toMatchObject({ code: "DEPENDENCY_ERROR", details: { output: "no network\n", kept: [] } });
  expect(refusal.message).toContain("Its branch and work tree were removed.");
  expect(room.git("branch", "--format=%(refname:short)")).toBe("main");
  expect(room.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
  const after = await room.board.task(task.blockId, task.id);
  expect(after).toMatchObject({ status: "pending" });
  expect(after.claim).toBeUndefined();
});

test("a call that is cancelled during it leaves nothing behind either", async () => {
  const room = openRoom({ files });
  const task = await room.task();
  room.put({ ".forge/workbench.json": '{"setupCommand": ["node", "-e", "setInterval(() => {}, 1000)"]}' });
  await room.trustAll();
  const stop = new AbortController();
  const input = { block_id: task.blockId, task_id: task.id, options };
  const starting = room.call(forgeExecuteTask, input, undefined, stop.signal);
  await expect.poll(() => room.reports.map(({ message }) => message).join(), { timeout: 20_000 }).toContain("node -e");
  stop.abort();
  expect(await starting).toMatchObject({ kind: "error", body: { code: "CANCELLED" } });
  await expect
    .poll(async () => (await room.board.task(task.blockId, task.id)).status, { timeout: 20_000 })
    .toBe("pending");
  expect(room.git("branch", "--format=%(refname:short)")).toBe("main");
});

test("the project's own isolation and finish hold where none are asked for", async () => {
  const room = openRoom({ files });
  const task = await room.task();
  room.put({ ".forge/workbench.json": '{"isolation": "worktree", "finish": "branch"}' });
  const answer = await room.ok(forgeExecuteTask, {
    block_id: task.blockId,
    task_id: task.id,
    options: { isolation: "none" },
  });
  expect(answer["root"]).toBe(room.project);
  expect(await room.ok(forgeGetExecution, {})).toMatchObject({ options: { finish: "branch", isolation: "none" } });
});
