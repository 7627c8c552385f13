import { expect, it } from "vitest";
import { describeOnEngines } from "../../../../../test/harness/db/store.ts";
import {
  assistant,
  blockInFile,
  by,
  fileOf,
  openBoard,
  person,
  projectFolder,
  type TaskInFile,
  taskInFile,
} from "../../../../../test/harness/rooms/workbench/workbench-board.ts";

const auth = blockInFile(
  "AuthService",
  "Hzgbjz",
  [
    taskInFile("TMy3c6", {
      task_name: "Add JWT",
      dependencies: ["k2Fa9x", "DeckManager"],
      files_affected: ["src/a.rs"],
    }),
    taskInFile("k2Fa9x", {
      status: "[COMPLETED]",
      commit_id: "No commit id",
      log: "done",
      description: "It [COMPLETED]",
    }),
    taskInFile("9", { status: "[IN-PROGRESS]" }),
  ],
  {
    connections: {
      input_connections: [{ from_module: "Gateway" }],
      output_connections: [{ to_module: "DeckManager" }],
    },
  },
);
const deck = blockInFile("DeckManager", "deck01", [taskInFile("d1")]);

describeOnEngines("a blocks_config.json", (engine) => {
  const open = async (text?: string) => {
    const project = projectFolder(text);
    // Each look at this clock is later: what was changed after an import is told from what it wrote by the time.
    let at = Date.now();
    const opened = openBoard(await engine.fresh(), { folder: project.folder, now: () => ++at });
    return { ...opened, ...project };
  };
  const imported = { blocks: { added: 0, updated: 0, unchanged: 2 }, tasks: { added: 0, updated: 0, unchanged: 4 } };

  it("is read by the first look at the board, with an entry in the ledger", async () => {
    const { board, ledger } = await open(fileOf(auth, deck));
    const { tasks, total, warnings } = await board.tasks({});
    expect(warnings).toEqual([]);
    expect(total).toBe(4);
    expect(tasks).toMatchObject([
      { id: "9", status: "in_progress", ready: true },
      { id: "TMy3c6", dependenciesStatus: { k2Fa9x: "completed", DeckManager: "pending" }, waitsFor: ["DeckManager"] },
      { id: "k2Fa9x", status: "completed" },
      { id: "d1" },
    ]);
    expect(await board.task("AuthService", "k2Fa9x")).toMatchObject({ description: "It", commitId: "", log: "done" });
    const related = await board.relatedBlocks(await board.task("AuthService", "TMy3c6"));
    expect(related).toEqual([{ name: "Gateway" }, { id: "deck01", name: "DeckManager" }]);
    expect(await board.claim(by(assistant("1")), "AuthService", "9", {})).toMatchObject({ id: "9" });
    expect(await ledger.latest()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "block import", outcome: "ok", about: ["file:blocks_config.json"] }),
      ]),
    );
  });

  it("is read before the first block is made, and not over blocks that are there", async () => {
    const { board } = await open(fileOf(deck));
    await board.createBlock(by(), { name: "Mine" });
    expect((await board.blocks({})).blocks.map(({ name }) => name)).toEqual(["DeckManager", "Mine"]);
    const later = await open();
    await later.board.createBlock(by(), { name: "Mine" });
    later.put(fileOf(deck));
    expect(await later.board.blocks({})).toMatchObject({
      total: 1,
      warnings: ["blocks_config.json exists, but was never imported."],
      next: [{ command: "block import" }],
    });
  });

  it("that is edited afterwards is not followed; a warning says so until it is imported again", async () => {
    const { board, put, settle } = await open(fileOf(auth, deck));
    settle();
    expect((await board.tasks({})).warnings).toEqual([]);
    expect((await board.tasks({})).warnings).toEqual([]);
    put(fileOf(auth, deck, blockInFile("New", "newnew", [])));
    for (const _ of [1, 2])
      expect(await board.blocks({})).toMatchObject({
        total: 2,
        warnings: ["blocks_config.json was changed after it was imported."],
        next: [{ command: "block import" }],
      });
    expect(await board.importFile(by())).toMatchObject({ ...imported, blocks: { added: 1, updated: 0, unchanged: 2 } });
    expect(await board.blocks({})).toMatchObject({ total: 3, warnings: [] });
  });

  it("can be tried out, which changes nothing and says what would come of it", async () => {
    const { board, put, ledger } = await open(fileOf(deck));
    await board.tasks({});
    put(fileOf(auth, blockInFile("Renamed", "deck01", [taskInFile("d1", { status: "[COMPLETED]" })])));
    const before = await board.exportText();
    const tried = await board.importFile(by(), { dryRun: true });
    expect(tried).toMatchObject({ blocks: { added: 1, updated: 1 }, tasks: { added: 3, updated: 1 } });
    expect(await board.exportText()).toBe(before);
    expect((await board.tasks({})).warnings).toHaveLength(1);
    expect((await ledger.latest()).filter(({ name }) => name === "block import")).toHaveLength(1);
    expect(await board.importFile(by())).toEqual(tried);
  });

  it("of another name is read all or none, and the project's own is none the wiser", async () => {
    const { board } = await open(fileOf(deck));
    await board.tasks({});
    const other = { text: fileOf(auth), name: "plan.json" };
    expect(await board.importFile(by(), { other, dryRun: true })).toMatchObject({ blocks: { added: 1 } });
    expect((await board.blocks({})).total).toBe(1);
    expect(await board.importFile(by(), { other })).toMatchObject({
      blocks: { added: 1 },
      tasks: { added: 3 },
      kept: ["block DeckManager (deck01)"],
    });
    expect(await board.tasks({})).toMatchObject({ total: 4, warnings: [] });
    await expect(board.importFile(by(), { other: { text: "{", name: "plan.json" } })).rejects.toThrow("plan.json");
    expect((await board.blocks({})).total).toBe(2);
  });

  it("that another process has read again is no longer said to be changed", async () => {
    const place = await engine.fresh();
    const { folder, put, settle } = projectFolder(fileOf(deck));
    const [one, two] = [openBoard(place, { folder }), openBoard(place, { folder })];
    await one.board.tasks({});
    put(fileOf(deck, auth));
    settle();
    expect((await one.board.tasks({})).warnings).toHaveLength(1);
    await two.board.importFile(by());
    expect(await one.board.tasks({})).toMatchObject({ total: 4, warnings: [] });
  });

  it("read again changes texts, keeps the status that is further along, and what the file no longer has", async () => {
    const { board, put } = await open(fileOf(auth, deck));
    await board.updateTask(by(person), "AuthService", "TMy3c6", { status: "completed", log: "by hand" });
    await board.createTask(by(), "DeckManager", { name: "Only here", id: "only" });
    const edited = blockInFile("Auth", "Hzgbjz", [
      taskInFile("TMy3c6", { task_name: "Add tokens", dependencies: ["9"] }),
      taskInFile("9", { status: "[FAILED]", log: "broke" }),
    ]);
    put(fileOf(edited, blockInFile("AuthService", "deck01", [taskInFile("d1")])));
    const outcome = await board.importFile(by());
    expect(outcome).toMatchObject({
      blocks: { added: 0, updated: 2, unchanged: 0 },
      tasks: { added: 0, updated: 2, unchanged: 1 },
      kept: ["task Hzgbjz/k2Fa9x", "task deck01/only"],
    });
    expect(outcome.warnings).toEqual([
      "Not in the file, and kept: task Hzgbjz/k2Fa9x, task deck01/only.",
      expect.stringContaining("Hzgbjz/TMy3c6"),
    ]);
    expect(await board.task("Auth", "TMy3c6")).toMatchObject({
      name: "Add tokens",
      status: "completed",
      log: "by hand",
      dependencies: ["9"],
    });
    expect(await board.task("Auth", "9")).toMatchObject({ status: "failed", log: "broke" });
    expect((await board.block("AuthService")).id).toBe("deck01");
    expect((await board.totals()).byStatus).toEqual({ pending: 2, in_progress: 0, completed: 2, failed: 1 });
    await board.importFile(by(), { statuses: "file" });
    expect(await board.task("Auth", "TMy3c6")).toMatchObject({ status: "pending", log: "" });
  });

  it("leaves alone what somebody is on", async () => {
    const { board, put } = await open(fileOf(deck));
    await board.claim(by(assistant("1")), "DeckManager", "d1", {});
    put(fileOf(blockInFile("DeckManager", "deck01", [taskInFile("d1", { description: "other" })])));
    const { tasks, warnings } = await board.importFile(by(assistant("2")));
    expect({ tasks, warnings }).toEqual({
      tasks: { added: 0, updated: 0, unchanged: 1 },
      warnings: [expect.stringMatching(/^Task deck01\/d1 is claimed by ada/)],
    });
    expect(await board.task("DeckManager", "d1")).toMatchObject({ description: "" });
  });

  it("warns of unknown and circular dependencies", async () => {
    const { board } = await open(
      fileOf(
        blockInFile("A", "aaaaaa", [
          taskInFile("a", { dependencies: ["B"] }),
          taskInFile("x", { dependencies: ["gone", ""] }),
        ]),
        blockInFile("B", "bbbbbb", [taskInFile("b", { dependencies: ["aaaaaa/a"] })]),
      ),
    );
    const { warnings } = await board.blocks({});
    expect(warnings[0]).toContain('aaaaaa/x depends on "gone"');
    expect(warnings[1]).toContain("Circular dependency: aaaaaa/a → bbbbbb/b → aaaaaa/a");
    expect(warnings).toHaveLength(2);
  });

  it("takes the lists of older files, and makes the same ids of them each time", async () => {
    const block = { name: "Old", todo_list: ["Do one thing\nwith care [COMPLETED]", { task_name: "Another" }] };
    const { board, put } = await open(JSON.stringify([{ ...block, inputs: ["creds"] }]));
    const { tasks } = await board.tasks({});
    expect(tasks).toMatchObject([
      { name: "Do one thing", status: "completed", id: expect.stringMatching(/^[A-Za-z0-9]{6}$/) },
      { name: "Another", status: "pending" },
    ]);
    expect((await board.block("Old")).inputs).toEqual([{ name: "creds", ctype: "", description: "" }]);
    put(JSON.stringify([block]));
    expect(await board.importFile(by())).toMatchObject({ tasks: { added: 0, unchanged: 2 } });
  });

  it("that is not valid is ignored, with the place of the problem, and the board works", async () => {
    const { board, put } = await open(fileOf(auth).slice(0, -20));
    const { total, warnings } = await board.tasks({});
    expect({ total, warnings }).toEqual({
      total: 0,
      warnings: [expect.stringMatching(/^blocks_config\.json was ignored: blocks_config\.json, line \d+/)],
    });
    await expect(board.importFile(by())).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    put(fileOf(auth));
    expect(await board.tasks({})).toMatchObject({ total: 3, warnings: [expect.stringContaining("DeckManager")] });
  });

  it("is written as the original has it, and only over what the board knows", async () => {
    const { board, put, text } = await open(fileOf(deck));
    await board.createTask(by(), "DeckManager", { name: "More", id: "m1", description: "x", dependencies: ["d1"] });
    await board.updateTask(by(person), "DeckManager", "d1", { status: "completed" });
    expect(await board.exportFile(by())).toEqual({ path: "blocks_config.json", blocks: 1, tasks: 2 });
    const [block] = JSON.parse(text()) as { todo_list: Record<string, TaskInFile> }[];
    expect(block?.todo_list).toEqual({
      d1: taskInFile("d1", { status: "[COMPLETED]" }),
      m1: taskInFile("m1", { task_name: "More", description: "x", dependencies: ["d1"], estimated_effort: "" }),
    });
    expect((await board.tasks({})).warnings).toEqual([]);
    put("[]");
    await expect(board.exportFile(by())).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
    expect(text()).toBe("[]");
    await board.exportFile(by(), { overwrite: true });
    expect(text()).toBe(await board.exportText());
  });
});
