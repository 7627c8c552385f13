import { expect, it } from "vitest";
import { by } from "../../../../../test/harness/rooms/workbench/workbench-board.ts";
import { openBoardRoom } from "../../../../../test/harness/rooms/workbench/workbench-board-room.ts";
import { forgeCreateTask } from "./forge-create-task.ts";

const whole = {
  task_name: "Add JWT",
  description: "Tokens",
  acceptance_criteria: ["A token is given"],
  estimated_effort: "M",
  files_affected: ["src/auth.rs"],
  function_signatures: ["fn token()"],
  testing_requirements: ["unit"],
  ticket_id: "T-001",
};

it("adds a task with all that it says", async () => {
  const { board, call, lastEntry } = openBoardRoom();
  await board.createBlock(by(), { name: "Auth", id: "aaaaaa" });
  const { task } = (await call(forgeCreateTask, { block_id: "Auth", ...whole })) as { task: { id: string } };
  expect(task).toMatchObject({ block_id: "aaaaaa", name: "Add JWT", status: "pending", revision: 1 });
  const { task_name: name, ticket_id: ticketId, ...said } = whole;
  expect(await board.task("aaaaaa", task.id)).toMatchObject({ ...said, name, ticketId });
  expect(await lastEntry()).toMatchObject({ outcome: "ok", about: [`task:aaaaaa/${task.id}`] });
});

it("warns of dependencies that are unknown and of circles", async () => {
  const { board, call } = openBoardRoom();
  await board.createBlock(by(), { name: "Auth", id: "aaaaaa" });
  expect(
    await call(forgeCreateTask, { block_id: "Auth", task_name: "x", dependencies: ["gone", "Auth"] }),
  ).toMatchObject({
    task: { dependencies_status: { gone: "unknown", Auth: "pending" } },
    warnings: [
      expect.stringContaining('depends on "gone"'),
      expect.stringMatching(/^It waits for itself, so it cannot be executed: /),
    ],
  });
});

it("is told nothing of what only an execution can bring about", async () => {
  const { board, call } = openBoardRoom();
  await board.createBlock(by(), { name: "Auth" });
  const args = { block_id: "Auth", task_name: "x", status: "completed" };
  expect(await call(forgeCreateTask, args)).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(await call(forgeCreateTask, { ...args, block_id: "Ath", status: "failed" })).toMatchObject({
    code: "NOT_FOUND",
    next: expect.arrayContaining(["Did you mean `Auth`?"]),
  });
});
