import { sql } from "kysely";
import { expect, it } from "vitest";
import { describeOnEngines } from "../../../../../test/harness/db/store.ts";
import {
  blockInFile,
  by,
  fileOf,
  openBoard,
  person,
  projectFolder,
  taskInFile,
} from "../../../../../test/harness/rooms/workbench/workbench-board.ts";
import { taskRowsQuery, waitingRowsQuery } from "./pages.ts";

describeOnEngines("lists of tasks", (engine) => {
  const open = async () => {
    const { board } = openBoard(await engine.fresh());
    for (const name of ["A", "B"]) await board.createBlock(by(), { name });
    for (let index = 0; index < 12; index++)
      await board.createTask(by(), index % 3 === 0 ? "B" : "A", { name: `Task ${index}`, id: `t${index}` });
    await board.updateTask(by(), "A", "t1", { status: "failed", description: "Übung: 100% of_it" });
    await board.updateTask(by(person), "A", "t4", { status: "completed", acceptance_criteria: ["Nothing HIDDEN"] });
    return board;
  };

  it("come a page at a time in the order the tasks came, with how many there are", async () => {
    const board = await open();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await board.tasks({ limit: 5, cursor });
      expect(page.total).toBe(12);
      seen.push(...page.tasks.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => `t${index}`));
  });

  it("are narrowed by block and status", async () => {
    const board = await open();
    const ids = async (filter: Parameters<typeof board.tasks>[0]) => {
      const { tasks, total } = await board.tasks(filter);
      expect(total).toBe(tasks.length);
      return tasks.map(({ id }) => id);
    };
    expect(await ids({ block: "B" })).toEqual(["t0", "t3", "t6", "t9"]);
    expect(await ids({ status: ["completed", "failed"] })).toEqual(["t1", "t4"]);
    expect(await ids({ block: "A", status: ["pending"] })).toEqual(["t2", "t5", "t7", "t8", "t10", "t11"]);
    expect(await ids({ block: "B", status: ["failed", "failed"] })).toEqual([]);
    expect(await board.tasks({ block: "A", limit: 2 })).toMatchObject({
      total: 8,
      tasks: [{ id: "t1" }, { id: "t2" }],
    });
    await expect(board.tasks({ block: "C" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(board.tasks({ cursor: "x" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("find words anywhere in a task, in any case, and take nothing in them for a pattern", async () => {
    const board = await open();
    const ids = async (text: string) => (await board.tasks({ text })).tasks.map(({ id }) => id);
    expect(await ids("nothing hidden")).toEqual(["t4"]);
    expect(await ids("übung")).toEqual(["t1"]);
    expect(await ids("100%")).toEqual(["t1"]);
    expect(await ids("0%0")).toEqual([]);
    expect(await ids("of_it task")).toEqual(["t1"]);
    expect(await ids("description")).toEqual([]);
    expect(await ids("t10")).toEqual(["t10"]);
    expect(await ids("  ")).toHaveLength(12);
  });

  it("leave dependencies' states out where they are not asked for", async () => {
    const board = await open();
    await board.updateTask(by(), "B", "t0", { dependencies: ["t1", "x"] });
    const { tasks } = await board.tasks({ includeDependencies: false, limit: 1 });
    expect(tasks).toEqual([
      {
        id: "t0",
        name: "Task 0",
        blockId: expect.any(String),
        status: "pending",
        dependencies: ["t1", "x"],
        revision: 2,
      },
    ]);
  });

  it("show blocks by how they stand, with a page and how many there are", async () => {
    const board = await open();
    await board.createBlock(by(), { name: "Empty", description: 'Says "hello" 5%' });
    await board.createBlock(by(), { name: "Done" });
    await board.createTask(by(person), "Done", { name: "x", status: "completed" });
    const names = async (filter: Parameters<typeof board.blocks>[0]) => {
      const { blocks, total } = await board.blocks(filter);
      expect(total).toBe(blocks.length);
      return blocks.map(({ name }) => name);
    };
    expect(await names({})).toEqual(["A", "B", "Empty", "Done"]);
    expect(await names({ status: "failed" })).toEqual(["A"]);
    expect(await names({ status: "completed" })).toEqual(["Done"]);
    expect(await names({ status: "active" })).toEqual(["B", "Empty"]);
    expect(await names({ hasTasks: false })).toEqual(["Empty"]);
    expect(await names({ hasTasks: true, status: "active" })).toEqual(["B"]);
    expect(await names({ text: 'says "HELLO" 5%' })).toEqual(["Empty"]);
    expect(await names({ text: "5_" })).toEqual([]);
    const page = await board.blocks({ limit: 3 });
    expect(page).toMatchObject({ total: 4, nextCursor: expect.any(String) });
    expect(await board.blocks({ limit: 3, cursor: page.nextCursor })).toMatchObject({ blocks: [{ name: "Done" }] });
  });
});

it("take a page from an index, whatever is asked for: nothing is sorted or read through", async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => taskInFile(`t${index}`));
  const { folder: project } = projectFolder(fileOf(blockInFile("A", "aaaaaa", many)));
  const { board, database } = openBoard({ file: `${project}/.forge/forge.db` }, { folder: project });
  expect((await board.tasks({})).total).toBe(2_000);
  for (const block of [undefined, 1])
    for (const status of [undefined, "pending"] as const) {
      if (block !== undefined && status === undefined) continue;
      const query = { block, statuses: undefined, after: 0, limit: 51 };
      const queries = [
        taskRowsQuery(query, status),
        ...(status ? [waitingRowsQuery({ ...query, waits: 0 }, status)] : []),
      ];
      for (const one of queries) {
        const steps = await database.read(
          async (db) => (await sql<{ detail: string }>`explain query plan ${one}`.execute(db)).rows,
        );
        const plan = steps.map(({ detail }) => detail).join("; ");
        expect(plan).toMatch(/SEARCH task USING/);
        expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
      }
    }
});
