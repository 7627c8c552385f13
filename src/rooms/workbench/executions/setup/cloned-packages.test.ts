import { expect, test } from "vitest";
import { openRoom } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeRunTests } from "../../tools/executions/forge-run-tests.ts";

const files = {
  ".gitignore": "node_modules\n.forge\n",
  "package.json": '{"private":true,"workspaces":["packages/*"],"scripts":{"test":"node --test"}}',
  "package-lock.json": "{}",
  "packages/sums/package.json": '{"name":"sums","main":"index.js"}',
  "packages/sums/index.js": "exports.add = (a, b) => a + b;\n",
  "packages/shop/package.json": '{"name":"shop"}',
  "packages/shop/shop.test.js":
    'const { add } = require("sums");\nrequire("pad");\nrequire("node:test")("adds", () => require("node:assert").equal(add(1, 1), 2));\n',
};

test("a new work tree gets the installed packages, and its workspace packages are its own", async () => {
  const room = openRoom({ files });
  room.put({
    "node_modules/pad/package.json": '{"name":"pad"}',
    "node_modules/pad/index.js": "",
    "node_modules/.cache/x": "",
  });
  room.link("../packages/sums", "node_modules/sums");
  await room.trustAll();
  const { blockId, id } = await room.task();
  const options = { isolation: "worktree" };
  const { root } = await room.ok<Record<string, string>>(forgeExecuteTask, { block_id: blockId, task_id: id, options });
  expect(room.has("node_modules/pad/index.js", root)).toBe(true);
  expect(room.has("node_modules/.cache", root)).toBe(false);
  expect(await room.ok(forgeRunTests, {})).toMatchObject({ origin: "tree", test_results: { status: "passed" } });
  room.put({ "packages/sums/index.js": "exports.add = () => 3;\n" }, root);
  expect(await room.ok(forgeRunTests, {})).toMatchObject({ origin: "tree", test_results: { status: "failed" } });
});

test("a lock file that only the project's folder has does not matter", async () => {
  const room = openRoom({ files });
  room.put({ "node_modules/pad/index.js": "", "yarn.lock": "of another tool\n" });
  const { blockId, id } = await room.task();
  const options = { isolation: "worktree" };
  const { root } = await room.ok<Record<string, string>>(forgeExecuteTask, { block_id: blockId, task_id: id, options });
  expect(room.has("node_modules/pad/index.js", root)).toBe(true);
});

test("none where the lock file differs", async () => {
  const room = openRoom({ files });
  room.put({ "node_modules/pad/index.js": "", "package-lock.json": '{"changed":true}' });
  const { blockId, id } = await room.task();
  const options = { isolation: "worktree" };
  const { root } = await room.ok<Record<string, string>>(forgeExecuteTask, { block_id: blockId, task_id: id, options });
  expect(room.has("node_modules", root)).toBe(false);
});
