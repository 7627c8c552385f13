import { expect, it } from "vitest";
import { blockInFile, fileOf, taskInFile } from "../../../../../test/harness/rooms/workbench/workbench-board.ts";
import { openBoardRoom } from "../../../../../test/harness/rooms/workbench/workbench-board-room.ts";
import { forgeGetBlocks } from "./forge-get-blocks.ts";

const many = Array.from({ length: 60 }, (_, index) => taskInFile(`t${index}`));
const file = fileOf(
  blockInFile("AuthService", "Hzgbjz", many, {
    inputs: [{ name: "creds", ctype: "Credentials", description: "Who" }],
    connections: {
      input_connections: [{ from_module: "Gateway", output_type: "Req", input_id: "a1B2c3", odd: { x: 1 } }],
      output_connections: [{ to_module: "Audit", input_type: 7 }],
    },
  }),
  blockInFile("Done", "donedo", [taskInFile("d1", { status: "[COMPLETED]" })]),
  blockInFile("Empty", "empty1", []),
);

it("lists blocks with their counts, and tasks and connections where asked for", async () => {
  const { call } = openBoardRoom(file);
  const plain = await call(forgeGetBlocks);
  expect(plain).toEqual({
    blocks: [
      {
        id: "Hzgbjz",
        name: "AuthService",
        description: "About AuthService",
        status: "active",
        task_counts: { pending: 60, in_progress: 0, completed: 0, failed: 0 },
        inputs: [{ name: "creds", ctype: "Credentials", description: "Who" }],
        outputs: [],
        revision: 1,
      },
      expect.objectContaining({ id: "donedo", status: "completed" }),
      expect.objectContaining({ id: "empty1", status: "active" }),
    ],
    total: 3,
  });
  const whole = await call(forgeGetBlocks, { include_tasks: true, include_connections: true, limit: 1 });
  expect(whole).toMatchObject({
    blocks: [
      {
        connections: {
          input_connections: [{ from_module: "Gateway", output_type: "Req", input_id: "a1B2c3" }],
          output_connections: [{ to_module: "Audit" }],
        },
        tasks: expect.arrayContaining([expect.objectContaining({ id: "t0", status: "pending" })]),
        tasks_omitted: 10,
      },
    ],
    next_cursor: expect.any(String),
  });
  expect(await call(forgeGetBlocks, { cursor: whole["next_cursor"] })).toMatchObject({ blocks: [{}, {}], total: 3 });
});

it.each([
  [{ status: "completed" }, ["Done"]],
  [{ status: "active", has_tasks: true }, ["AuthService"]],
  [{ has_tasks: false }, ["Empty"]],
  [{ search_term: "gateway" }, ["AuthService"]],
  [{ status: "failed" }, []],
])("narrows by %j", async (filter, names) => {
  const { call } = openBoardRoom(file);
  const { blocks } = await call(forgeGetBlocks, { filter });
  expect((blocks as { name: string }[]).map(({ name }) => name)).toEqual(names);
});
