import { expect, it } from "vitest";
import { blockInFile, fileOf, taskInFile } from "../../../../../test/harness/rooms/workbench/workbench-board.ts";
import { openBoardRoom } from "../../../../../test/harness/rooms/workbench/workbench-board-room.ts";
import { forgeGetProjectInfo } from "./forge-get-project-info.ts";

const file = fileOf(blockInFile("Auth", "b1", [taskInFile("t1", { status: "[COMPLETED]" }), taskInFile("t2")]));

it("counts blocks and tasks of the board", async () => {
  const { call, folder } = openBoardRoom(file);
  expect(await call(forgeGetProjectInfo)).toMatchObject({
    project: { root_directory: folder, type: "unknown", dependencies: [] },
    statistics: { total_blocks: 1, total_tasks: 2, completed_tasks: 1 },
  });
});

it("leaves out git and statistics where told", async () => {
  const { call } = openBoardRoom(file);
  const answer = await call(forgeGetProjectInfo, { include_git_info: false, include_stats: false });
  expect(answer).not.toHaveProperty("statistics");
  expect(answer["project"]).not.toHaveProperty("git_status");
});
