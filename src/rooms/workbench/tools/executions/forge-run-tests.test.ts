import { expect, test } from "vitest";
import { brokenProject, openRoom } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeExecuteTask } from "./forge-execute-task.ts";
import { forgeGetExecution } from "./forge-get-execution.ts";
import { forgeRunTests } from "./forge-run-tests.ts";

const passing = `import assert from "node:assert";
import { test } from "node:test";
test("adds up", () => assert.equal(1 + 1, 2));
`;
const failing = passing.replace("2));", "3));");
const files = {
  "package.json": '{"type": "module", "scripts": {"test": "node --test"}}\n',
  "sum.test.js": passing,
};

const failingScript = 'console.log("noise\\n".repeat(3000));\nthrow new Error("the cause");\n';

test("runs the project's tests for real, and keeps the result with the execution", async () => {
  const room = openRoom({ files });
  await room.trustAll();
  const task = await room.task();
  const { execution_id: id } = await room.ok(forgeExecuteTask, { block_id: task.blockId, task_id: task.id });
  room.reports.length = 0;
  const passed = await room.ok(forgeRunTests, {});
  expect(passed).toMatchObject({
    test_results: { status: "passed", total_tests: 1, passed: 1, failed: 0, skipped: 0 },
    failures: [],
    runner: "node:test",
    execution_id: id,
  });
  expect(String((passed["test_results"] as { duration: string }).duration)).toMatch(/^\d+\.\ds$/);
  const progress = room.reports.map((report) => report.progress);
  expect(progress).toEqual([...new Set(progress)].sort((a, b) => a - b));
  room.put({ "sum.test.js": failing });
  const failed = await room.ok(forgeRunTests, { scope: "all" });
  expect(failed).toMatchObject({
    test_results: { status: "failed", failed: 1 },
    failures: [{ name: expect.stringContaining("adds up"), file: "sum.test.js", line: 3 }],
  });
  expect(room.logged).toContainEqual(["warning", expect.stringContaining("test_failure sum.test.js:3: ")]);
  expect(await room.ok(forgeGetExecution, {})).toMatchObject({
    tests: [
      { run_id: passed["run_id"], status: "passed" },
      { run_id: failed["run_id"], status: "failed" },
    ],
    issues: [{ type: "test_failure", file: "sum.test.js", line: 3 }],
  });
  const entries = await room.ledger.latest({ about: `execution:${id}` });
  expect(entries.filter(({ name }) => name === "forge_run_tests").map(({ evidence }) => evidence)).toEqual([
    [`test-run:${passed["run_id"]}`],
    [`test-run:${failed["run_id"]}`],
  ]);
});

test("names the ignored files that the run could use: at most 20 outside dependency and build folders, then a count", async () => {
  const room = openRoom({ files: { ...files, ".gitignore": "*.local\n.env\nnode_modules/\ndist/\n*.log\n" } });
  await room.trustAll();
  room.put({ "node_modules/pad/index.js": "", "dist/out.js": "", "run.log": "" });
  expect(await room.ok(forgeRunTests, {})).not.toHaveProperty("ignored_files");
  room.put({ ".env": "A=1\n", "src/db.local": "x\n" });
  const some = await room.ok(forgeRunTests, {});
  expect(some).toMatchObject({ ignored_files: [".env", "src/db.local"], test_results: { status: "passed" } });
  expect(some).not.toHaveProperty("omitted_ignored_files");
  room.put(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`data/${index}.local`, ""])));
  const many = await room.ok<{ ignored_files: string[] }>(forgeRunTests, {});
  expect(many).toMatchObject({ omitted_ignored_files: 12 });
  expect(many.ignored_files).toHaveLength(20);
});

test("without an execution it runs in the project's folder", async () => {
  const room = openRoom({ files });
  await room.trustAll();
  const answer = await room.ok(forgeRunTests, { files: ["sum.test.js"] });
  expect(answer).toMatchObject({ test_results: { status: "passed" } });
  expect(answer["execution_id"]).toBeUndefined();
});

test("in a work tree it runs what is there; without trust it does not run", async () => {
  const room = openRoom({ files });
  const task = await room.task();
  const options = { isolation: "worktree" };
  const { root } = await room.ok(forgeExecuteTask, { block_id: task.blockId, task_id: task.id, options });
  room.put({ "sum.test.js": failing }, String(root));
  expect((await room.refused(forgeRunTests, {})).code).toBe("TRUST_REQUIRED");
  await room.trustAll();
  expect(await room.ok(forgeRunTests, {})).toMatchObject({ test_results: { status: "failed" } });
});

type Result = {
  failures: { name: string; message: string }[];
  omitted_failures?: number;
  output?: string;
  run_id: string;
  next: { tool: string; input: Record<string, unknown> }[];
};

test("a failed run answers in 4 KB, with each failure once and the way to the rest", async () => {
  const room = openRoom({ files: brokenProject(40) });
  await room.trustAll();
  const short = await room.ok<Result>(forgeRunTests, {});
  expect(Buffer.byteLength(JSON.stringify(short))).toBeLessThanOrEqual(4_096);
  expect(short).not.toHaveProperty("output");
  expect(short.failures.length).toBeGreaterThanOrEqual(5);
  expect(short.failures.length + (short.omitted_failures ?? 0)).toBe(40);
  expect(short.failures[0]?.message).toContain("broken 0");
  expect(JSON.stringify(short)).not.toContain("node:internal");
  const read: string[] = [];
  const runs = room.reports.length;
  for (let next = short.next[0]; next !== undefined; ) {
    expect(next.tool).toBe("forge_run_tests");
    const page = await room.ok<Result>(forgeRunTests, next.input);
    expect(page.run_id).toBe(short.run_id);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(32_768);
    read.push(...page.failures.map(({ name }) => name));
    next = page.next?.[0];
  }
  expect(new Set(read).size).toBe(40);
  expect(read).toHaveLength(40);
  expect(room.reports).toHaveLength(runs);
});

test("without a listed failure the output says what happened, and an unknown run is refused", async () => {
  const room = openRoom({
    files: { ".forge/workbench.json": '{"testCommand": ["node", "fail.js"]}\n', "fail.js": failingScript },
  });
  await room.trustAll();
  const result = await room.ok<Result>(forgeRunTests, {});
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(4_096);
  expect(JSON.stringify(result)).toContain("the cause");
  expect(await room.refused(forgeRunTests, { run_id: "test_none" })).toMatchObject({ code: "NOT_FOUND" });
});
