import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ada, openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import type { WorkbenchTables } from "../../store/schema.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeListExecutions } from "../../tools/executions/forge-list-executions.ts";
import { forgeRunTests } from "../../tools/executions/forge-run-tests.ts";

type Started = { execution_id: string; root: string; branch_created: string; message: string };

async function begin(room: Room, principal = ada, name = "One"): Promise<Started> {
  const task = await room.task({ name });
  const input = { block_id: task.blockId, task_id: task.id, options: { isolation: "worktree" } };
  return room.ok<Started>(forgeExecuteTask, input, principal);
}

test("a work tree is in the user's home, and the answer has its absolute path", async () => {
  const room = openRoom();
  const { root, execution_id, message } = await begin(room);
  expect(root.startsWith(`${room.sandbox.root}/home/.forge/worktrees/project-`)).toBe(true);
  expect(root.endsWith(`/${execution_id}`)).toBe(true);
  expect(message).toContain(root);
  expect(room.has(".forge/worktrees")).toBe(false);
  room.put({ "new.txt": "new\n" }, root);
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({ branch_merged: true });
  expect(room.has("", root)).toBe(false);
  expect(room.text("new.txt")).toBe("new\n");
});

test("an assistant that reaches only the project's folder gets one in it, with packages of its own", async () => {
  const room = openRoom({
    files: {
      ".gitignore": "node_modules\n",
      "package.json": '{"scripts":{"test":"node --test"}}',
      "index.js": "module.exports = 1;\n",
      "a.test.js":
        'require("pad"); require("node:test")("one", () => require("node:assert").equal(require("./index.js"), 1));\n',
    },
  });
  room.put({ "node_modules/pad/package.json": '{"name":"pad"}', "node_modules/pad/index.js": "" });
  await room.trustAll();
  const { root, execution_id } = await begin(room, { ...ada, isConfinedToProject: true });
  expect(root).toBe(join(room.project, ".forge", "worktrees", execution_id));
  expect(room.has("node_modules/pad/index.js", root)).toBe(true);
  expect(await room.ok(forgeRunTests, {})).toMatchObject({ origin: "tree", test_results: { status: "passed" } });
  room.put({ "index.js": "module.exports = 2;\n" }, root);
  expect(await room.ok(forgeRunTests, {})).toMatchObject({ origin: "tree", test_results: { status: "failed" } });
  expect(room.git("status", "--porcelain")).toBe("");
});

test("a work tree that an older version opened is finished where it is", async () => {
  const room = openRoom();
  const { root, execution_id } = await begin(room);
  const former = join(room.project, ".forge", "worktrees", execution_id);
  room.put({ ".forge/worktrees/.keep": "" });
  room.git("worktree", "move", root, former);
  const rows = room.database.forTables<WorkbenchTables>();
  await rows.transaction((tx) => tx.updateTable("execution").set({ root: former }).execute());
  await room.close();
  const next = openRoom({ beside: room });
  const listed = await next.ok<{ warnings?: string[] }>(forgeListExecutions, {});
  expect(listed).toMatchObject({ executions: [{ root: former, status: "running" }] });
  expect(listed.warnings).toBeUndefined();
  room.put({ "new.txt": "new\n" }, former);
  expect(await next.ok(forgeCommitChanges, { message: "x", execution_id })).toMatchObject({ branch_merged: true });
  expect(room.has("", former)).toBe(false);
  expect(room.text("new.txt")).toBe("new\n");
  expect((await begin(next, ada, "Two")).root).not.toContain(dirname(former));
});
