import { expect, it } from "vitest";
import { assistant, by, person } from "../../../../../test/harness/rooms/workbench/workbench-board.ts";
import { openBoardRoom } from "../../../../../test/harness/rooms/workbench/workbench-board-room.ts";
import { forgeUpdateTask } from "./forge-update-task.ts";

const start = async () => {
  const room = openBoardRoom();
  await room.board.createBlock(by(), { name: "Auth", id: "aaaaaa" });
  await room.board.createTask(by(), "Auth", { name: "One", id: "t1", description: "first", ticketId: "T-001" });
  const named = { block_id: "Auth", task_id: "t1" };
  return { ...room, named };
};

it("changes the fields it is given, from the revision that was seen", async () => {
  const { board, call, named, lastEntry } = await start();
  expect(
    await call(forgeUpdateTask, {
      ...named,
      task_name: "Two",
      status: "failed",
      ticket_id: null,
      expected_revision: 1,
    }),
  ).toMatchObject({ task: { name: "Two", status: "failed", revision: 2 } });
  expect(await board.task("Auth", "t1")).toMatchObject({ name: "Two", description: "first" });
  expect(await board.task("Auth", "t1")).not.toHaveProperty("ticketId");
  expect(await lastEntry()).toMatchObject({ outcome: "ok", about: ["task:aaaaaa/t1"] });
  expect(await call(forgeUpdateTask, { ...named, description: "", expected_revision: 1 })).toMatchObject({
    code: "CONFLICT_ERROR",
    details: { currentRevision: 2 },
  });
});

it("leaves what is done to executions and to the person, and a claimed task to its holder", async () => {
  const { board, call, named } = await start();
  expect(await call(forgeUpdateTask, { ...named, status: "completed" })).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(await call(forgeUpdateTask, { ...named, status: "completed" }, person)).toMatchObject({
    task: { status: "completed" },
  });
  expect(await call(forgeUpdateTask, { ...named, status: "pending" })).toMatchObject({ task: { status: "pending" } });
  await board.claim(by(assistant("2")), "Auth", "t1", {});
  expect(await call(forgeUpdateTask, { ...named, task_name: "Mine" })).toMatchObject({ code: "CONFLICT_ERROR" });
});

it("does not change the status under an execution", async () => {
  const { board, database, call, named } = await start();
  await database.transaction((tx) =>
    tx
      .insertInto("execution")
      .values({
        id: "exec_1",
        block_id: "aaaaaa",
        task_id: "t1",
        task_name: "One",
        status: "running",
        stage: "implementing",
        options: "{}",
        base_commit: "abc",
        root: "/",
        started_by: "ada",
        started_at: 1,
        untracked_before: "[]",
        revision: 1,
      })
      .execute(),
  );
  expect(await call(forgeUpdateTask, { ...named, status: "failed" })).toMatchObject({
    code: "CONFLICT_ERROR",
    details: { execution_id: "exec_1" },
  });
  expect(await board.task("Auth", "t1")).toMatchObject({ status: "pending" });
});

it("refuses a call that names no change", async () => {
  const { call, named } = await start();
  expect(await call(forgeUpdateTask, named)).toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await call(forgeUpdateTask, { ...named, task_id: "t2", task_name: "x" })).toMatchObject({ code: "NOT_FOUND" });
});
