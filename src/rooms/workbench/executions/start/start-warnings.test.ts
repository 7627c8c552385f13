import { expect, test } from "vitest";
import { openRoom } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { begin, write } from "../../../../../test/harness/rooms/workbench/workbench-shared-folder.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeWriteFile } from "../../tools/files/forge-write-file.ts";

const files = {
  "package.json": JSON.stringify({ scripts: { test: "node --test" } }),
  "a.test.js": "require('node:test')('a', () => {});\n",
  ".gitignore": "*.log\n",
};

test("tests that nobody has trusted are told of when the task is begun, and again with what to do at its end", async () => {
  const room = openRoom({ files });
  const { blockId, id } = await room.task();
  const input = { block_id: blockId, task_id: id, options: { run_tests: true } };
  type Advice = { warnings: string[]; next: unknown[] };
  const started = await room.ok<Advice>(forgeExecuteTask, input);
  expect(started.warnings.join(" ")).toMatch(/nothing is merged until the tests can run\. .* not trusted/);
  expect(JSON.stringify(started.next)).toContain("trust");
  await write(room, "new.txt", "new\n");
  const answer = await room.ok<Advice>(forgeCommitChanges, { message: "x" });
  expect(answer).toMatchObject({ branch_merged: false });
  expect(answer.warnings.join(" ")).toMatch(/could not run\. .* not trusted/);
  expect(JSON.stringify(answer.next)).toContain("trust");

  const trusted = openRoom({ files });
  await trusted.trustAll();
  const task = await trusted.task();
  const again = await trusted.ok(forgeExecuteTask, { ...input, block_id: task.blockId, task_id: task.id });
  expect(again["warnings"] ?? []).toEqual([]);
});

test("a file that git ignores and that came during the task is not said to have been there before", async () => {
  const room = openRoom({ files });
  room.put({ "before.log": "mine\n" });
  await begin(room);
  room.put({ "during.log": "mine\n" });
  const refusalOf = async (file_path: string) => room.refused(forgeWriteFile, { file_path, content: "x" });
  expect((await refusalOf("before.log")).message).toContain("existed before the task started");
  expect((await refusalOf("during.log")).message).toContain("git ignores during.log");
  expect(room.text("during.log")).toBe("mine\n");
});
