import { expect, it } from "vitest";
import { openBoardRoom } from "../../../../../test/harness/rooms/workbench/workbench-board-room.ts";
import { forgeCreateBlock } from "./forge-create-block.ts";

it("adds a block under a name of its own, with an entry in the ledger", async () => {
  const { board, call, lastEntry } = openBoardRoom();
  const made = await call(forgeCreateBlock, {
    name: " Gateway ",
    description: "Lets in",
    inputs: [{ name: "request" }],
  });
  expect(made).toEqual({ block_id: expect.stringMatching(/^[A-Za-z0-9]{6}$/), name: "Gateway", revision: 1 });
  expect(await board.block("Gateway")).toMatchObject({
    description: "Lets in",
    inputs: [{ name: "request", ctype: "", description: "" }],
  });
  expect(await lastEntry()).toMatchObject({
    name: "forge_create_block",
    outcome: "ok",
    about: [`block:${made["block_id"]}`],
  });
  expect(await call(forgeCreateBlock, { name: "Gateway" })).toMatchObject({ code: "CONFLICT_ERROR" });
  expect(await call(forgeCreateBlock, { name: "Other", block_id: "abc" })).toMatchObject({ block_id: "abc" });
});

it.each([
  { name: "" },
  { name: "a\0b" },
  { name: "Tickets " },
  { name: "x", block_id: "tickets" },
  { name: "x", block_id: "a/b" },
  { name: "x", inputs: [{}] },
  {},
])("refuses %j", async (args) => {
  const { call } = openBoardRoom();
  expect(await call(forgeCreateBlock, args)).toMatchObject({ code: "VALIDATION_ERROR" });
});
