import { expect, it } from "vitest";
import { describeOnEngines } from "../../../../../test/harness/db/store.ts";
import {
  blockInFile,
  by,
  fileOf,
  openBoard,
  projectFolder,
  startBoardProcess,
  taskInFile,
} from "../../../../../test/harness/rooms/workbench/workbench-board.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

describeOnEngines("several processes on one board", (engine) => {
  it("give each of fifty tasks to exactly one of eight that want them all", async () => {
    const place = await engine.fresh();
    const { board } = openBoard(place);
    await board.createBlock(by(), { name: "A", id: "aaaaaa" });
    const tasks = many(50);
    for (const id of tasks) await board.createTask(by(), "A", { name: id, id });
    const processes = await Promise.all(Array.from({ length: 8 }, () => startBoardProcess(place)));
    const got = await Promise.all(processes.map(({ tell }) => tell({ job: "claim", block: "A", tasks })));
    expect(got.flat().sort()).toEqual([...tasks].sort());
  });

  it("read the file once when they see it at the same time", async () => {
    const place = await engine.fresh();
    const { folder } = projectFolder(
      fileOf(
        blockInFile(
          "A",
          "aaaaaa",
          many(300).map((id) => taskInFile(id)),
        ),
      ),
    );
    const processes = await Promise.all(Array.from({ length: 4 }, () => startBoardProcess(place, folder)));
    const seen = await Promise.all(processes.map(({ tell }) => tell({ job: "look" })));
    expect(seen).toEqual([300, 300, 300, 300]);
    const { board, ledger } = openBoard(place);
    expect(await board.totals()).toMatchObject({ blocks: 1, tasks: 300 });
    const entries = await ledger.latest({ limit: 100 });
    expect(entries.filter(({ name }) => name === "block import")).toHaveLength(1);
  });
});
