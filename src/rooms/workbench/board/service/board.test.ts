import { expect, it } from "vitest";
import { describeOnEngines } from "../../../../../test/harness/db/store.ts";
import { assistant, by, openBoard, person } from "../../../../../test/harness/rooms/workbench/workbench-board.ts";

describeOnEngines("the board", (engine) => {
  const open = async () => openBoard(await engine.fresh());

  it("makes blocks and tasks with ids like those of users' files, found by the block's id or name", async () => {
    const { board, ledger } = await open();
    const block = await board.createBlock(by(), { name: "AuthService", description: "Who may come in" });
    expect(block).toMatchObject({ id: expect.stringMatching(/^[A-Za-z0-9]{6}$/), name: "AuthService", revision: 1 });
    const made = await board.createTask(by(), "AuthService", {
      name: "Add JWT",
      description: "Tokens\0\ud800",
      acceptance_criteria: ["A token is given"],
      files_affected: ["src/auth.rs"],
    });
    expect(made.id).toMatch(/^[A-Za-z0-9]{6}$/);
    const task = await board.task(block.id, made.id);
    expect(task).toEqual(made);
    expect(task).toMatchObject({
      blockName: "AuthService",
      description: "Tokens\0\ud800",
      status: "pending",
      commitId: "",
      log: "",
    });
    expect(await board.task("AuthService", made.id)).toEqual(task);
    expect(await board.block("AuthService")).toMatchObject({ id: block.id, tasks: { pending: 1, completed: 0 } });
    const [last] = (await ledger.latest({ limit: 1 })).slice(-1);
    expect(last).toMatchObject({ outcome: "ok", about: [`task:${block.id}/${made.id}`] });
  });

  it("names what is nearest where there is no such block or task", async () => {
    const { board } = await open();
    await board.createBlock(by(), { name: "AuthService", id: "Hzgbjz" });
    await board.createTask(by(), "Hzgbjz", { name: "Add JWT", id: "TMy3c6" });
    await board.createBlock(by(), { name: "Other", id: "other1" });
    await expect(board.task("AuthServce", "x")).rejects.toMatchObject({
      code: "NOT_FOUND",
      next: expect.arrayContaining(["Did you mean `AuthService`?"]),
    });
    await expect(board.task("Hzgbjz", "TMy3c7")).rejects.toMatchObject({
      code: "NOT_FOUND",
      next: expect.arrayContaining(["Did you mean `TMy3c6`?"]),
    });
    await expect(board.task("a\0b", "x")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(board.task("Hzgbjz", "a\0b")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(board.task("Other", "TMy3c6")).rejects.toMatchObject({
      next: expect.arrayContaining(["Block Hzgbjz has a task with that id."]),
    });
  });

  it("takes a name or an id once", async () => {
    const { board } = await open();
    await board.createBlock(by(), { name: "A", id: "aaaaaa" });
    await expect(board.createBlock(by(), { name: "A" })).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await expect(board.createBlock(by(), { name: "B", id: "aaaaaa" })).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
    });
    await expect(board.createBlock(by(), { name: "aaaaaa" })).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await board.createTask(by(), "A", { name: "One", id: "1" });
    await expect(board.createTask(by(), "A", { name: "Two", id: "1" })).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
    });
    await board.createBlock(by(), { name: "B" });
    await expect(board.updateBlock(by(), "B", { name: "A" })).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await board.createTask(by(), "B", { name: "Other block, same id", id: "1" });
    expect(await board.totals()).toEqual({
      blocks: 2,
      tasks: 2,
      byStatus: { pending: 2, in_progress: 0, completed: 0, failed: 0 },
    });
  });

  it("changes a task only from the revision it was seen at, and counts", async () => {
    const { board } = await open();
    await board.createBlock(by(), { name: "A" });
    const { id } = await board.createTask(by(), "A", { name: "One", dependencies: ["x"] });
    const changed = await board.updateTask(
      by(),
      "A",
      id,
      { description: "more", status: "failed", ticketId: "T-001" },
      1,
    );
    expect(changed).toMatchObject({ revision: 2, status: "failed", ticketId: "T-001", dependencies: ["x"] });
    await expect(board.updateTask(by(), "A", id, { name: "Late" }, 1)).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
      details: { currentRevision: 2 },
    });
    expect(await board.updateTask(by(), "A", id, { status: "failed" })).toMatchObject({ revision: 2 });
    const cleared = await board.updateTask(by(), "A", id, { ticketId: null, dependencies: [] });
    expect(cleared).not.toHaveProperty("ticketId");
    expect(await board.task("A", id)).toMatchObject({
      name: "One",
      description: "more",
      dependencies: [],
      revision: 3,
    });
    expect((await board.totals()).byStatus).toEqual({ pending: 0, in_progress: 0, completed: 0, failed: 1 });
    expect(await board.tasks({ block: "A" })).toMatchObject({ total: 1, tasks: [{ dependencies: [], ready: true }] });
  });

  it("lets an assistant say that a task is open or failed, and a person also that it is done", async () => {
    const { board } = await open();
    await board.createBlock(by(), { name: "A" });
    const { id } = await board.createTask(by(), "A", { name: "One" });
    for (const status of ["in_progress", "completed"] as const) {
      await expect(board.updateTask(by(), "A", id, { status })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
      await expect(board.createTask(by(), "A", { name: "X", status })).rejects.toMatchObject({
        code: "PERMISSION_DENIED",
      });
    }
    expect(await board.updateTask(by(person), "A", id, { status: "completed" })).toMatchObject({ status: "completed" });
    expect(await board.updateTask(by(), "A", id, { status: "pending" })).toMatchObject({ status: "pending" });
  });

  it("leaves a task to the one who claimed it", async () => {
    const { board } = await open();
    await board.createBlock(by(), { name: "A" });
    const { id } = await board.createTask(by(), "A", { name: "One" });
    const [one, two] = [by(assistant("1")), by(assistant("2"))];
    const { claim } = await board.claim(one, "A", id, { minutes: 5 });
    expect(claim?.holder).toMatch(/^ada\/assistant#/);
    await expect(board.claim(two, "A", id, {})).rejects.toMatchObject({ details: { holder: claim?.holder } });
    await expect(board.updateTask(two, "A", id, { name: "X" })).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    await expect(board.release(two, "A", id)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    expect(await board.tasks({})).toMatchObject({
      tasks: [{ claim: { holder: claim?.holder }, ready: false, waitsFor: [`claimed by ${claim?.holder}`] }],
    });
    await board.updateTask(by(assistant("1")), "A", id, { name: "Mine" });
    await board.release(by(assistant("1")), "A", id);
    expect(await board.claim(by(assistant("2")), "A", id, {})).toMatchObject({ name: "Mine" });
    await board.updateTask(by(person), "A", id, { status: "completed" });
    await board.release(by(person), "A", id);
    await expect(board.claim(by(assistant("2")), "A", id, {})).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
  });

  it("begins and settles a task in the transaction of its execution", async () => {
    const { board, database } = await open();
    await board.createBlock(by(), { name: "A" });
    const before = await board.createTask(by(), "A", { name: "One" });
    const started = await database.transaction(async (tx) => {
      const task = await board.requireStartable(tx, "A", before.id, assistant("1"));
      return board.beginTask(tx, by(), task);
    });
    expect(started).toMatchObject({ status: "in_progress", revision: 2 });
    await expect(
      database.transaction((tx) => board.settleTask(tx, by(), before, { status: "completed" })),
    ).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    const { revision: _, ...atAnyRevision } = started;
    const settled = await database.transaction((tx) =>
      board.settleTask(tx, by(), atAnyRevision, { status: "completed", commitId: "abc", log: "done" }),
    );
    expect(await board.task("A", before.id)).toEqual(settled);
    expect(settled).toMatchObject({ status: "completed", commitId: "abc", log: "done" });
    expect((await board.totals()).byStatus).toEqual({ pending: 0, in_progress: 0, completed: 1, failed: 0 });
    await expect(
      database.transaction((tx) => board.requireStartable(tx, "A", before.id, assistant("1"))),
    ).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
  });

  it("loses none of sixteen that are made at once", async () => {
    const { board } = await open();
    await board.createBlock(by(), { name: "A" });
    const names = Array.from({ length: 16 }, (_, index) => `Task ${index}`);
    await Promise.all(names.map((name) => board.createTask(by(), "A", { name })));
    const { tasks, total } = await board.tasks({});
    expect(total).toBe(16);
    expect(tasks.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect((await board.block("A")).tasks.pending).toBe(16);
  });
});
