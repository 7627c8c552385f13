import { expect, test } from "vitest";
import { openRoom } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";

test.each(["changed", "removed"])(
  "a trusted hook that was %s blocks the commit until a person has looked",
  async (what) => {
    const room = openRoom();
    room.hook("pre-commit", "exit 0");
    await room.trustAll();
    const { blockId, id } = await room.task();
    await room.ok(forgeExecuteTask, { block_id: blockId, task_id: id });
    room.put({ "new.txt": "new\n" });
    if (what === "changed") room.hook("pre-commit", "exit 0 # and more");
    else room.remove(".git/hooks/pre-commit");
    const head = room.git("rev-parse", "HEAD");
    const refused = await room.refused(forgeCommitChanges, { message: "x" });
    expect(refused).toMatchObject({ code: "TRUST_REQUIRED", message: expect.stringContaining("pre-commit") });
    expect(room.git("rev-parse", "HEAD")).toBe(head);
    await room.trustAll();
    expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({ branch_merged: true });
  },
);

test("one that nobody ever trusted does not run, and blocks nothing", async () => {
  const room = openRoom();
  room.hook("pre-commit", "exit 1");
  const { blockId, id } = await room.task();
  await room.ok(forgeExecuteTask, { block_id: blockId, task_id: id });
  room.put({ "new.txt": "new\n" });
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({
    branch_merged: true,
    warnings: [expect.stringContaining("did not run")],
  });
});

test("the progress of a commit has a total, and rises", async () => {
  const room = openRoom();
  const { blockId, id } = await room.task();
  await room.ok(forgeExecuteTask, { block_id: blockId, task_id: id });
  room.put({ "new.txt": "new\n" });
  room.reports.length = 0;
  await room.ok(forgeCommitChanges, { message: "x" });
  expect(room.reports.length).toBeGreaterThan(2);
  const steps = room.reports.map(({ progress }) => progress);
  expect(room.reports.every(({ total }) => total === 1)).toBe(true);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
});
