import { expect, it } from "vitest";
import { writeFiles } from "../../../../../test/harness/git/git.ts";
import { blockInFile, fileOf, taskInFile } from "../../../../../test/harness/rooms/workbench/workbench-board.ts";
import { openBoardRoom } from "../../../../../test/harness/rooms/workbench/workbench-board-room.ts";
import { forgeGetTaskDetails } from "./forge-get-task-details.ts";

const file = fileOf(
  blockInFile(
    "AuthService",
    "Hzgbjz",
    [
      taskInFile("TMy3c6", {
        task_name: "Add user authentication",
        description: "Implement JWT\nwith care\u202e",
        acceptance_criteria: ["User can register"],
        dependencies: ["k2Fa9x", "Deck", "gone"],
        files_affected: ["src/auth.rs"],
      }),
      taskInFile("k2Fa9x", { status: "[COMPLETED]" }),
    ],
    { connections: { input_connections: [{ from_module: "Gateway" }], output_connections: [] } },
  ),
  blockInFile("Deck", "deck01", [taskInFile("d1")]),
);
const named = { block_id: "AuthService", task_id: "TMy3c6" };

it("gives the whole task with the blocks it has to do with", async () => {
  const { call } = openBoardRoom(file);
  const answer = await call(forgeGetTaskDetails, named);
  expect(answer).toEqual({
    task: {
      id: "TMy3c6",
      name: "Add user authentication",
      block_id: "Hzgbjz",
      block_name: "AuthService",
      status: "pending",
      description: "Implement JWT\nwith care\\u202e",
      acceptance_criteria: ["User can register"],
      dependencies: ["k2Fa9x", "Deck", "gone"],
      files_affected: ["src/auth.rs"],
      related_blocks: ["Gateway", "Deck"],
      estimated_effort: "M",
      function_signatures: [],
      testing_requirements: [],
      log: "",
      commit_id: "",
      ready: false,
      waits_for: ["Deck", "gone (unknown)"],
      revision: 1,
      updated_at: expect.any(String),
    },
  });
});

it("adds what the repository has to say, and how the dependencies stand", async () => {
  const { call, folder } = openBoardRoom(file);
  writeFiles(folder, { "src/auth.rs": "//! Who may come in.\npub fn login() {}\n" });
  expect(await call(forgeGetTaskDetails, { ...named, include_context: true })).toMatchObject({
    task: { id: "TMy3c6" },
    context: {
      existing_files: { "src/auth.rs": expect.stringContaining("Who may come in") },
      dependencies_status: { k2Fa9x: "completed", Deck: "pending", gone: "unknown" },
      related_code_patterns: expect.any(Array),
      omitted: expect.any(Array),
    },
  });
});

it("says where there is no such task", async () => {
  const { call } = openBoardRoom(file);
  expect(await call(forgeGetTaskDetails, { ...named, task_id: "TMy3c7" })).toMatchObject({
    code: "NOT_FOUND",
    next: expect.arrayContaining(["Did you mean `TMy3c6`?"]),
  });
});
