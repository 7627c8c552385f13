import { join } from "node:path";
import { expect, test } from "vitest";
import { openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";
import { forgeGetExecution } from "../../tools/executions/forge-get-execution.ts";
import { forgeRunTests } from "../../tools/executions/forge-run-tests.ts";

const passing = (name: string, module: string) =>
  `const { ${name} } = require("${module}");\nrequire("node:test")("${name}", () => require("node:assert").equal(typeof ${name}, "function"));\n`;

const files = {
  ".gitignore": ".forge\n",
  "package.json": '{"scripts":{"test":"node --test"}}',
  "sums.js": "exports.add = (a, b) => a + b;\n",
  "a.test.js": passing("add", "./sums.js"),
};

async function begin(room: Room, options: Record<string, unknown> = {}) {
  const { blockId, id } = await room.task({});
  const input = { block_id: blockId, task_id: id, options: { isolation: "worktree", run_tests: true, ...options } };
  const started = await room.ok(forgeExecuteTask, input);
  return { id: String(started["execution_id"]), root: String(started["root"]) };
}

const passedRun: TestRun = {
  id: "test_1",
  at: 0,
  runner: "node:test",
  command: ["node", "--test"],
  scope: "all",
  included: "all",
  status: "passed",
  total: 1,
  passed: 1,
  failed: 0,
  skipped: 0,
  durationMs: 1,
  exitCode: 0,
  failures: [],
  omittedFailures: 0,
  origin: { from: "tree" },
  withheld: [],
  notes: [],
  output: "",
};

/** Real test runs are slow where others use the machine too. */
const patienceMs = 300_000;

type Recorded = { timeline: { kind: string; details: Record<string, unknown> }[]; tests: unknown[]; issues: object[] };

test(
  "what is merged is what was tested: with the base moved, both together, and the base stays where that fails",
  async () => {
    const room = openRoom({ files });
    await room.trustAll();
    const { id, root } = await begin(room);
    room.put({ "sums.js": "exports.sum = (a, b) => a + b;\n", "a.test.js": passing("sum", "./sums.js") }, root);
    // Meanwhile somebody uses the name that the task takes away: no conflict for git.
    room.put({ "b.test.js": passing("add", "./sums.js") });
    room.git("add", "b.test.js");
    room.git("commit", "--quiet", "-m", "meanwhile");
    const base = room.git("rev-parse", "HEAD");
    const blocked = await room.ok(forgeCommitChanges, { message: "Rename", execution_id: id });
    expect(blocked).toMatchObject({ branch_merged: false, task_status: "in_progress", tests: { status: "failed" } });
    expect(String(blocked["summary"])).toMatch(/^Committed .*Not merged: together with the latest commits on main/);
    expect(room.git("rev-parse", "HEAD")).toBe(base);
    const record = await room.ok<Recorded>(forgeGetExecution, { execution_id: id });
    expect(record.issues).toEqual([expect.objectContaining({ type: "test_failure", file: "b.test.js" })]);
    expect(room.git("worktree", "list").split("\n")).toHaveLength(2);
    // As the advice says.
    room.gitIn(root, "merge", "--quiet", "--no-edit", "main");
    room.put({ "b.test.js": passing("sum", "./sums.js") }, root);
    const merged = await room.ok(forgeCommitChanges, { message: "Follow", execution_id: id });
    expect(merged).toMatchObject({ branch_merged: true, task_status: "completed", tests: { status: "passed" } });
  },
  patienceMs,
);

test(
  "a tree that has just passed is not tested again; the evidence names the run, or says that there was none",
  async () => {
    const room = openRoom({ files });
    await room.trustAll();
    const first = await begin(room);
    room.put({ "c.txt": "c\n" }, first.root);
    const run = await room.ok(forgeRunTests, { execution_id: first.id });
    expect(run).toMatchObject({ origin: "tree", test_results: { status: "passed" } });
    const merged = await room.ok(forgeCommitChanges, { message: "Add c", execution_id: first.id });
    expect(merged).toMatchObject({ branch_merged: true, tests: { run_id: run["run_id"] } });
    const second = await begin(room, { run_tests: false });
    room.put({ "d.txt": "d\n" }, second.root);
    await room.ok(forgeCommitChanges, { message: "Add d", execution_id: second.id });
    const tested = async (id: string) => {
      const { timeline } = await room.ok<Recorded>(forgeGetExecution, { execution_id: id });
      return timeline.find(({ kind }) => kind === "merged")?.details["tested"];
    };
    expect(await tested(first.id)).toBe(run["run_id"]);
    expect(await tested(second.id)).toBe(false);
  },
  patienceMs,
);

test(
  "several finish at once: each is tested on top of those before it",
  async () => {
    const room = openRoom({ files });
    await room.trustAll();
    const begun = [await begin(room), await begin(room), await begin(room)];
    for (const [index, { root }] of begun.entries()) room.put({ [`${index}.txt`]: "x\n" }, root);
    const results = await Promise.all(
      begun.map(({ id }, index) => room.ok(forgeCommitChanges, { message: `Add ${index}`, execution_id: id })),
    );
    for (const result of results) expect(result).toMatchObject({ branch_merged: true, tests: { status: "passed" } });
    expect(["0.txt", "1.txt", "2.txt"].every((name) => room.has(name))).toBe(true);
    expect(room.has("worktrees", join(room.project, ".git"))).toBe(false);
  },
  patienceMs,
);

test("a base that had the branch already and is moved back at the last moment gets nothing untested", async () => {
  const tested: string[] = [];
  const room = openRoom({
    files,
    runTests: async ({ root: at }) => {
      // The user merges the branch by hand meanwhile.
      if (tested.push(at) === 1) room.git("merge", "--quiet", room.gitIn(at, "branch", "--show-current"));
      return { ...passedRun, ...(tested.length > 1 && { status: "failed" as const, passed: 0, failed: 1 }) };
    },
  });
  await room.trustAll();
  const before = room.git("rev-parse", "HEAD");
  const { id, root } = await begin(room);
  room.put({ "c.txt": "c\n" }, root);
  room.reports.push = (...given) => {
    if (given.some(({ message }) => message?.startsWith("Merging ")) && tested.length === 1)
      room.git("reset", "--quiet", "--hard", before);
    return 0;
  };
  const blocked = await room.ok(forgeCommitChanges, { message: "Add c", execution_id: id });
  expect(blocked).toMatchObject({ branch_merged: false, task_status: "in_progress" });
  expect(tested).toEqual([root, expect.not.stringContaining(root)]);
  expect(room.git("rev-parse", "HEAD")).toBe(before);
});
