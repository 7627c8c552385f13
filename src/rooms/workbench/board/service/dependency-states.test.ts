import { expect, it } from "vitest";
import { describeOnEngines } from "../../../../../test/harness/db/store.ts";
import { assistant, by, openBoard, person } from "../../../../../test/harness/rooms/workbench/workbench-board.ts";

describeOnEngines("dependencies", (engine) => {
  const open = async () => {
    const opened = openBoard(await engine.fresh());
    const { board, database } = opened;
    return {
      ...opened,
      block: (name: string) => board.createBlock(by(), { name, id: `id-${name}` }),
      task: (block: string, id: string, ...dependencies: string[]) =>
        board.createTask(by(), block, { name: `Task ${id}`, id, dependencies }),
      done: (block: string, id: string) => board.updateTask(by(person), block, id, { status: "completed" }),
      start: (block: string, id: string) =>
        database.transaction((tx) => board.requireStartable(tx, block, id, assistant("1"))),
      only: async (block: string, id: string) => {
        const { tasks } = await board.tasks({ block });
        return tasks.find((task) => task.id === id);
      },
    };
  };

  it("mean a task of the same block first, then of any, a task of a named block, and all of a block", async () => {
    const { block, task, done, only } = await open();
    for (const name of ["A", "B", "C", "Empty"]) await block(name);
    await task("A", "same");
    await task("B", "same");
    await task("B", "elsewhere");
    await task("C", "c1");
    await task("C", "c2");
    const refs = ["same", "elsewhere", "B/same", "id-C/c1", "id-C", "C", "Empty", "nowhere", "C/nowhere", "__proto__"];
    await task("A", "waits", ...refs);
    await done("B", "same");
    await done("C", "c1");
    const waits = await only("A", "waits");
    expect(waits?.dependencies).toEqual(refs);
    expect(waits).toMatchObject({
      dependenciesStatus: {
        same: "pending",
        elsewhere: "pending",
        "B/same": "completed",
        "id-C/c1": "completed",
        "id-C": "in_progress",
        C: "in_progress",
        Empty: "completed",
        nowhere: "unknown",
        "C/nowhere": "unknown",
      },
      ready: false,
      waitsFor: ["same", "elsewhere", "id-C", "C", "nowhere (unknown)", "C/nowhere (unknown)", "__proto__ (unknown)"],
    });
  });

  it("an id that several other blocks have means all of them", async () => {
    const { block, task, done, only } = await open();
    for (const name of ["A", "B", "C"]) await block(name);
    await task("B", "1");
    await task("C", "1");
    await task("A", "waits", "1");
    await done("B", "1");
    expect(await only("A", "waits")).toMatchObject({ dependenciesStatus: { "1": "in_progress" }, ready: false });
    await done("C", "1");
    expect(await only("A", "waits")).toMatchObject({ dependenciesStatus: { "1": "completed" }, ready: true });
  });

  it("keep a task from being started, with their names and what is open of them", async () => {
    const { board, block, task, done, start } = await open();
    for (const name of ["A", "B"]) await block(name);
    await task("B", "b1");
    await task("B", "b2", "b1");
    const waits = await task("A", "waits", "B", "lost");
    await expect(start("A", "waits")).rejects.toMatchObject({
      code: "DEPENDENCY_ERROR",
      message: "Task id-A/waits waits for B (pending), lost (unknown).",
      details: { waits_for: ["B", "lost"] },
    });
    expect(await board.dependencies(waits)).toEqual([
      {
        ref: "B",
        status: "pending",
        open: [
          { blockId: "id-B", taskId: "b1", name: "Task b1", ready: true },
          { blockId: "id-B", taskId: "b2", name: "Task b2", ready: false },
        ],
      },
      { ref: "lost", status: "unknown", open: [] },
    ]);
    await done("B", "b1");
    await done("B", "b2");
    await board.updateTask(by(), "A", "waits", { dependencies: ["B"] });
    expect(await start("A", "waits")).toMatchObject({ id: "waits" });
  });

  it("name a circle with its path, also through a block and through several blocks", async () => {
    const { board, block, task, done, start } = await open();
    for (const name of ["A", "B", "C"]) await block(name);
    const a = await task("A", "a", "b");
    await task("A", "b", "c");
    await task("A", "c", "a");
    expect(await board.cycle(a)).toEqual(["a", "b", "c", "a"]);
    await expect(start("A", "b")).rejects.toMatchObject({
      code: "DEPENDENCY_ERROR",
      message: "Task id-A/b waits for itself: b → c → a → b.",
    });
    const own = await task("B", "own", "id-B");
    expect(await board.cycle(own)).toEqual(["own", "own"]);
    const across = await task("C", "x", "B");
    await board.updateTask(by(), "B", "own", { dependencies: ["C"] });
    expect(await board.cycle(across)).toEqual(["id-C/x", "id-B/own", "id-C/x"]);
    await done("A", "c");
    expect(await board.cycle(a)).toBeUndefined();
    expect(await start("A", "b")).toMatchObject({ id: "b" });
  });

  it("ready lists what can be begun now", async () => {
    const { board, block, task, done } = await open();
    await block("A");
    await task("A", "one");
    await task("A", "two", "one");
    await task("A", "three");
    await task("A", "four", "gone");
    const ids = async (ready: boolean) => (await board.tasks({ ready })).tasks.map(({ id }) => id);
    expect(await ids(true)).toEqual(["one", "three"]);
    await board.claim(by(assistant("1")), "A", "three", {});
    expect(await ids(true)).toEqual(["one"]);
    await done("A", "one");
    expect(await ids(true)).toEqual(["two"]);
    expect(await ids(false)).toEqual(["one", "three", "four"]);
    const page = await board.tasks({ ready: false, limit: 1 });
    expect(page).toMatchObject({ total: 3, nextCursor: expect.any(String), warnings: [] });
    const last = await board.tasks({ ready: false, limit: 2, cursor: page.nextCursor });
    expect(last).toMatchObject({ total: 3, tasks: [{ id: "three" }, { id: "four" }] });
    expect(last.warnings).toEqual([expect.stringContaining('id-A/four depends on "gone"')]);
  });

  it("relate blocks to each other", async () => {
    const { board, block, task } = await open();
    for (const name of ["A", "B", "C"]) await block(name);
    await task("B", "b1");
    const waits = await task("A", "waits", "b1", "C", "lost");
    expect(await board.relatedBlocks(waits)).toMatchObject([{ name: "B" }, { name: "C" }]);
  });
});
