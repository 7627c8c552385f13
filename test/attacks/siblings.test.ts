import { expect, test } from "vitest";
import { forgeCommitChanges } from "../../src/rooms/workbench/tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../src/rooms/workbench/tools/executions/forge-execute-task.ts";
import { openRoom } from "../harness/rooms/workbench/workbench-executions.ts";

test("E a start on a branch that could not be merged into is refused at the start", async () => {
  const room = openRoom();
  const name = "a".repeat(40);
  room.git("branch", "-m", "other");
  room.git("update-ref", `refs/heads/${name}`, "HEAD");
  room.git("symbolic-ref", "HEAD", `refs/heads/${name}`);
  const { blockId, id } = await room.task();
  expect(await room.refused(forgeExecuteTask, { block_id: blockId, task_id: id })).toMatchObject({
    code: "VALIDATION_ERROR",
    message: expect.stringContaining("looks like a commit id"),
  });
  expect(room.git("branch", "--format=%(refname:short)").split("\n")).toHaveLength(2);
});

test.each([
  ["letter case", "A.txt"],
  ["another script", "\u0430.txt"],
  ["an invisible character", "a\u2060.txt"],
])("D a new file whose name differs from another's only by %s is pointed out", async (_what, name) => {
  const room = openRoom({ files: { "a.txt": "one\n" } });
  const { blockId, id } = await room.task();
  await room.ok(forgeExecuteTask, { block_id: blockId, task_id: id });
  room.put({ [name]: "two\n" });
  const { warnings } = await room.ok(forgeCommitChanges, { message: "Add it", files: [name] });
  expect(warnings).toContainEqual(expect.stringMatching(/looks like a\.txt but is another file/));
});

test("E a sign-off that an assistant writes does not stand among the trailers", async () => {
  const room = openRoom();
  const { blockId, id } = await room.task();
  await room.ok(forgeExecuteTask, { block_id: blockId, task_id: id });
  room.put({ "a.txt": "two\n" });
  const message = "Change a\n\nSigned-off-by: Linus <linus@example.com>\nReviewed-by: Ada <ada@example.com>";
  await room.ok(forgeCommitChanges, { message });
  const trailers = room.git("log", "-1", "--no-merges", "--format=%(trailers)", "main");
  expect(trailers).toMatch(/^Forge-Task: /m);
  expect(trailers).not.toMatch(/Signed-off-by|Reviewed-by/);
});
