import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { KillBench, pointsOf, type Step } from "../../../../../test/harness/rooms/workbench/workbench-kill.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeListExecutions } from "../../tools/executions/forge-list-executions.ts";

let bench: KillBench;
beforeAll(() => {
  bench = new KillBench();
});
afterAll(() => bench.dispose());

const never = () => new AbortController().signal;
const content = "the task's\n";

async function prepared(name: Step["name"], isolation: string): Promise<{ room: Room; step: Step; root: string }> {
  const room = openRoom({ files: { "a.txt": "one\n", "b.txt": "two\n" } });
  room.put({ "notes.txt": "mine\n" });
  const task = await room.task({ id: "task01", name: "Task" });
  const step = { name, blockId: task.blockId, taskId: task.id, isolation };
  if (name === "execute") return { room, step, root: room.project };
  const input = { block_id: task.blockId, task_id: task.id, options: { isolation } };
  const { root } = await room.ok<{ root: string }>(forgeExecuteTask, input);
  room.put({ "a.txt": content, "new.txt": content }, root);
  return { room, step, root };
}

/** What must be so once the next process has looked after it, wherever the last one was killed. */
async function requireAgreement(room: Room, { blockId, taskId }: Step): Promise<void> {
  expect(room.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  const { executions } = await room.ok<{ executions: Record<string, string>[] }>(forgeListExecutions, {});
  const task = await room.board.task(blockId, taskId);
  const branches = room.git("branch", "--format=%(refname:short)").split("\n");
  const folders = room.git("worktree", "list", "--porcelain").match(/^worktree .*/gm) ?? [];
  const open = executions.filter(({ status }) => status === "running");
  expect(open.length).toBeLessThanOrEqual(1);
  expect(task.status === "in_progress").toBe(open.length === 1);
  expect(branches.filter((name) => name !== "main")).toEqual(open.map(({ branch }) => branch));
  expect(folders.slice(1)).toEqual(
    open.filter(({ root }) => root !== room.project).map(({ root }) => `worktree ${root}`),
  );
  const inPlace = open.find(({ root }) => root === room.project);
  expect(room.git("branch", "--show-current")).toBe(inPlace?.["branch"] ?? "main");
  expect(room.text("notes.txt")).toBe("mine\n");
}

/** The same caller goes on as if nothing had been. */
async function finish(room: Room, { blockId, taskId, isolation }: Step): Promise<void> {
  const task = await room.board.task(blockId, taskId);
  if (task.status !== "completed") {
    const input = { block_id: blockId, task_id: taskId, options: { isolation } };
    const { root } = await room.ok<{ root: string }>(forgeExecuteTask, input);
    room.put({ "a.txt": content, "new.txt": content }, root);
    expect(await room.ok(forgeCommitChanges, { message: "The task" })).toMatchObject({ task_status: "completed" });
  }
  expect(room.git("show", "main:a.txt")).toBe(content.trim());
  expect(room.git("show", "main:new.txt")).toBe(content.trim());
  expect(room.git("status", "--porcelain")).toBe("?? notes.txt");
  expect(room.text("a.txt")).toBe(content);
}

describe.each([
  ["execute", "none"],
  ["execute", "worktree"],
  ["commit", "none"],
  ["commit", "worktree"],
  ["cancel", "worktree"],
] as const)("%s, isolation %s", (name, isolation) => {
  test("killed at any git command, git and store agree afterwards, and the work goes on", {
    timeout: 900_000,
  }, async () => {
    const first = await prepared(name, isolation);
    if (name === "cancel") clean(first);
    await first.room.close();
    const { count, wasKilled } = await bench.run(first.room, first.step);
    expect(wasKilled).toBe(false);
    const points = pointsOf(count);
    for (const point of points) {
      const { room, step, root } = await prepared(name, isolation);
      if (name === "cancel") clean({ room, root });
      await room.close();
      expect((await bench.run(room, step, point)).wasKilled).toBe(true);
      const next = openRoom({ beside: room });
      const { warnings } = await next.executions.recover(never());
      try {
        await requireAgreement(next, step);
        if (name === "commit") requireNothingLost(next, root);
        await finish(next, step);
      } catch (error) {
        throw new Error(`${name} killed ${point.side} git command ${point.nth}; found: ${warnings.join(" ")}`, {
          cause: error,
        });
      }
      await next.close();
    }
  });
});

function clean({ room, root }: { room: Room; root: string }): void {
  room.gitIn(root, "checkout", "--quiet", "--", ".");
  room.gitIn(root, "clean", "--quiet", "--force");
}

function requireNothingLost(room: Room, root: string): void {
  const places = [() => room.text("new.txt", root), () => room.gitIn(room.project, "show", "main:new.txt")];
  const found = places.some((look) => {
    try {
      return look().trim() === content.trim();
    } catch {
      return false;
    }
  });
  expect(found).toBe(true);
}
