import { expect, it } from "vitest";
import { blockInFile, fileOf, taskInFile } from "../../../../../test/harness/rooms/workbench/workbench-board.ts";
import { openBoardRoom } from "../../../../../test/harness/rooms/workbench/workbench-board-room.ts";
import { forgeGetTasks } from "./forge-get-tasks.ts";

const file = fileOf(
  blockInFile("AuthService", "Hzgbjz", [
    taskInFile("TMy3c6", { task_name: "Add JWT", dependencies: ["k2Fa9x", "Deck"] }),
    taskInFile("k2Fa9x", { status: "[COMPLETED]" }),
  ]),
  blockInFile("Deck", "deck01", [taskInFile("d1", { status: "[FAILED]", task_name: "Odd \u202etext" })]),
);

it("answers as the specification has it, with what each task waits for", async () => {
  const { call } = openBoardRoom(file);
  const answer = await call(forgeGetTasks);
  expect(answer).toEqual({
    tasks: [
      {
        id: "TMy3c6",
        name: "Add JWT",
        block_id: "Hzgbjz",
        status: "pending",
        dependencies: ["k2Fa9x", "Deck"],
        dependencies_status: { k2Fa9x: "completed", Deck: "failed" },
        ready: false,
        waits_for: ["Deck"],
        revision: 1,
      },
      expect.objectContaining({ id: "k2Fa9x", status: "completed", ready: false }),
      expect.objectContaining({ id: "d1", status: "failed", ready: true }),
    ],
    total: 3,
  });
  expect(await call(forgeGetTasks, { block_id: "Deck" })).toMatchObject({ total: 1, tasks: [{ id: "d1" }] });
  expect(await call(forgeGetTasks, { status: ["pending", "completed"] })).toMatchObject({ total: 2 });
  expect(await call(forgeGetTasks, { ready: true })).toMatchObject({ total: 1, tasks: [{ id: "d1" }] });
  expect(await call(forgeGetTasks, { text: "jwt" })).toMatchObject({ total: 1, tasks: [{ id: "TMy3c6" }] });
  const plain = await call(forgeGetTasks, { include_dependencies: false, limit: 1 });
  expect(plain).toEqual({
    tasks: [expect.not.objectContaining({ dependencies_status: expect.anything() })],
    total: 3,
    next_cursor: expect.any(String),
  });
  expect(await call(forgeGetTasks, { cursor: plain["next_cursor"] })).toMatchObject({ tasks: [{ id: "k2Fa9x" }, {}] });
});

it("H04 shows what is hidden in names", async () => {
  const { call } = openBoardRoom(file);
  expect(JSON.stringify(await call(forgeGetTasks))).not.toContain("\u202e");
});

it("says what is the matter with the file", async () => {
  const { call, put } = openBoardRoom(file);
  await call(forgeGetTasks);
  put("[]");
  expect(await call(forgeGetTasks)).toMatchObject({
    total: 3,
    warnings: ["blocks_config.json was changed after it was imported."],
    next: [{ command: "block import", why: "to import it again" }],
  });
});

it.each([{ status: [] }, { status: ["[TODO]"] }, { limit: 501 }, { block_id: "x" }, { cursor: "x" }, { other: 1 }])(
  "refuses %j",
  async (args) => {
    const { call } = openBoardRoom(file);
    expect((await call(forgeGetTasks, args))["code"]).toMatch(/^(VALIDATION_ERROR|NOT_FOUND)$/);
  },
);
