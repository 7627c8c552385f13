import { expect, it } from "vitest";
import { assistant, by } from "../../../../../test/harness/rooms/workbench/workbench-board.ts";
import { openBoardRoom } from "../../../../../test/harness/rooms/workbench/workbench-board-room.ts";
import { forgeClaimTask } from "./forge-claim-task.ts";

it("gives a task to one connection, and two assistants of one person are two", async () => {
  const { board, call, lastEntry } = openBoardRoom();
  await board.createBlock(by(), { name: "Auth", id: "aaaaaa" });
  await board.createTask(by(), "Auth", { name: "One", id: "t1" });
  const named = { block_id: "Auth", task_id: "t1" };
  const claims = await Promise.all(
    ["1", "2", "3", "4"].map((connection) => call(forgeClaimTask, named, assistant(connection))),
  );
  const winner = claims.findIndex(({ claimed }) => claimed === true);
  expect(claims.filter(({ code }) => code === "CONFLICT_ERROR")).toHaveLength(3);
  expect(claims[winner]).toEqual({
    block_id: "aaaaaa",
    task_id: "t1",
    claimed: true,
    status: "pending",
    holder: expect.stringContaining("ada/assistant#"),
    until: expect.any(String),
  });
  const holder = assistant(String(winner + 1));
  const other = assistant(String(((winner + 1) % 4) + 1));
  const again = await call(forgeClaimTask, { ...named, minutes: 480 }, holder);
  expect(String(again["until"]) > String(claims[winner]?.["until"])).toBe(true);
  expect(await call(forgeClaimTask, { ...named, release: true }, other)).toMatchObject({ code: "CONFLICT_ERROR" });
  expect(await call(forgeClaimTask, { ...named, release: true }, holder)).toEqual({
    block_id: "aaaaaa",
    task_id: "t1",
    claimed: false,
    status: "pending",
  });
  expect(await call(forgeClaimTask, { ...named, worker: "night-shift" }, other)).toMatchObject({
    holder: expect.stringContaining(":night-shift"),
  });
  expect(await lastEntry()).toMatchObject({ outcome: "ok", about: ["task:aaaaaa/t1"] });
});
