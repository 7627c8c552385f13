import { expect, test } from "vitest";
import {
  begin,
  moveBase,
  openShared,
  personsStatus,
  personWorks,
  write,
} from "../../../../../test/harness/rooms/workbench/workbench-shared-folder.ts";
import type { TestRun } from "../../../../commons/test-runs/test-run.ts";
import { forgeCancelExecution } from "../../tools/executions/forge-cancel-execution.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";

const everything = { message: "x" };

test("where the way back to the base would run over a person's work, the folder stays and it is said", async () => {
  const room = openShared();
  const { branch } = await begin(room);
  await write(room, "new.txt", "new\n");
  personWorks(room);
  moveBase(room, { "theirs.txt": "another's\n" });
  const answer = await room.ok(forgeCommitChanges, { ...everything, files: ["new.txt"] });
  expect(answer).toMatchObject({ branch_merged: true, branch_deleted: false, task_status: "completed" });
  const warnings = JSON.stringify(answer["warnings"]);
  expect(warnings).toContain("theirs.txt. Nothing was changed. Once that is resolved");
  expect(warnings).toMatch(/run `git switch main`\."/);
  expect(warnings).not.toContain(`Kept: ${room.project}.`);
  expect(room.git("branch", "--show-current")).toBe(branch);
  expect(room.git("status", "--porcelain")).toBe(personsStatus);
  expect(room.text("theirs.txt")).toBe("mine\n");
});

test("with finish: branch and with create_branch: false a person's work stays in the folder too", async () => {
  for (const options of [{ finish: "branch" }, { create_branch: false }]) {
    const room = openShared();
    await begin(room, options);
    await write(room, "new.txt", "new\n");
    personWorks(room);
    const answer = await room.ok(forgeCommitChanges, { ...everything, files: ["new.txt"] });
    expect(answer).toMatchObject({ files_modified: ["new.txt"], task_status: "completed" });
    expect(room.git("branch", "--show-current")).toBe("main");
    expect(room.git("status", "--porcelain")).toBe(personsStatus);
  }
});

test("rollback_on_failure goes back to the base with a person's work as it is", async () => {
  const room = openShared({ runTests: async () => failedRun });
  const { branch } = await begin(room, { run_tests: true, rollback_on_failure: true });
  await write(room, "new.txt", "new\n");
  personWorks(room);
  const answer = await room.ok(forgeCommitChanges, { ...everything, files: ["new.txt"] });
  expect(answer).toMatchObject({ branch_merged: false, branch_kept: branch, task_status: "failed" });
  expect(room.git("branch", "--show-current")).toBe("main");
  expect(room.git("status", "--porcelain")).toBe(personsStatus);
  expect(room.text("theirs.txt")).toBe("mine\n");
});

test("and stays on the branch where a person has changed a file of the task's as well", async () => {
  const room = openShared({ runTests: async () => failedRun });
  const { branch } = await begin(room, { run_tests: true, rollback_on_failure: true });
  await write(room, "new.txt", "new\n");
  await write(room, "both.txt", "new\n");
  await room.ok(forgeCommitChanges, { ...everything, complete: false });
  room.put({ "both.txt": "new\nmine\n" });
  await room.ok(forgeCommitChanges, { ...everything, files: ["new.txt"] });
  expect(room.git("branch", "--show-current")).toBe(branch);
  expect(room.text("both.txt")).toBe("new\nmine\n");
  expect(room.git("status", "--porcelain")).toBe(" M both.txt");
});

test("cancelling leaves a person's work in the folder, back on the base", async () => {
  const room = openShared();
  const { branch } = await begin(room);
  await write(room, "new.txt", "new\n");
  await room.ok(forgeCommitChanges, { ...everything, complete: false });
  personWorks(room);
  const { kept } = await room.ok<{ kept: string[] }>(forgeCancelExecution, {});
  expect(kept).toEqual([expect.stringContaining(branch)]);
  expect(room.git("branch", "--show-current")).toBe("main");
  expect(room.git("status", "--porcelain")).toBe(personsStatus);
});

test("but where a file that the task had not committed has a person's work in it too, nothing is moved", async () => {
  const room = openShared();
  const { branch } = await begin(room);
  await write(room, "both.txt", "new\n");
  room.put({ "both.txt": "new\nmine\n" });
  const { kept } = await room.ok<{ kept: string[] }>(forgeCancelExecution, {});
  expect(kept).toEqual([
    `${room.project}: both.txt is changed and not committed, on ${branch}`,
    expect.stringContaining(`branch ${branch}: uncommitted changes stay on it. Commit or stash them.`),
  ]);
  expect(room.git("branch", "--show-current")).toBe(branch);
  expect(room.text("both.txt")).toBe("new\nmine\n");
});

const failedRun: TestRun = {
  id: "test_1",
  at: 1,
  runner: "vitest",
  command: ["vitest"],
  scope: "all",
  included: "all",
  status: "failed",
  total: 1,
  passed: 0,
  failed: 1,
  skipped: 0,
  durationMs: 1,
  exitCode: 1,
  failures: [{ name: "adds up", message: "1 is not 2" }],
  omittedFailures: 0,
  origin: { from: "tree" },
  withheld: [],
  notes: [],
  output: "",
};
