import { sql } from "kysely";
import { expect, it } from "vitest";
import { migrations } from "../../../../../test/harness/db/all-migrations.ts";
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
import { openDatabase } from "../../../../platform/db/database.ts";
import type { WorkbenchTables } from "../../store/schema.ts";
import { matchQuery } from "./task-search.ts";

const before = migrations.findIndex(({ name }) => name === "task search");

describeOnEngines("tasks by their words", (engine) => {
  it("are found by whole words and their beginnings, in all they say, and by nothing they said before", async () => {
    const { board } = openBoard(await engine.fresh());
    await board.createBlock(by(), { name: "A" });
    const task = {
      id: "t1",
      name: "Sign in",
      files_affected: ["src/auth/session.ts"],
      testing_requirements: ["Übung"],
    };
    await board.createTask(by(), "A", { ...task, function_signatures: ["signIn(user_name: string)"] });
    await board.createTask(by(), "A", { id: "t2", name: "Authorise", description: "after sign-in; costs 5 €" });
    const ids = async (text: string) => (await board.tasks({ text })).tasks.map(({ id }) => id);
    expect(await ids("auth")).toEqual(["t1", "t2"]);
    expect(await ids("SIGN")).toEqual(["t1", "t2"]);
    expect(await ids("sign-in")).toEqual(["t2"]);
    expect(await ids("src/auth/sess")).toEqual(["t1"]);
    expect(await ids("user_name übung t1")).toEqual(["t1"]);
    expect(await ids("auth user_x")).toEqual([]);
    expect(await ids("€")).toEqual(["t2"]);
    expect(await ids("ubung")).toEqual(["t1"]);
    for (const text of ["übung", "ubung", "ubung:"]) {
      const { tasks } = await board.tasks({ text, block: "A" });
      expect(tasks.map(({ id }) => id)).toEqual(text === "ubung:" ? [] : ["t1"]);
    }
    await board.updateTask(by(), "A", "t2", { description: "for guests" });
    await board.updateTask(by(), "A", "t1", { name: "Log in" });
    expect(await ids("after")).toEqual([]);
    expect(await ids("guest")).toEqual(["t2"]);
    expect(await ids("sign")).toEqual(["t1"]);
    expect(await ids("log in")).toEqual(["t1"]);
  });

  it("are counted and paged among others, with a block, a status and readiness", async () => {
    const tasks = Array.from({ length: 620 }, (_, index) =>
      taskInFile(`t${index}`, { description: index % 3 === 0 ? "a needle in it" : "hay" }),
    );
    const { folder } = projectFolder(fileOf(blockInFile("A", "aaaaaa", tasks), blockInFile("B", "bbbbbb", tasks)));
    const { board } = openBoard(await engine.fresh(), { folder });
    expect((await board.tasks({ text: "needle" })).total).toBe(414);
    await board.updateTask(by(person), "A", "t3", { status: "completed" });
    expect(await board.tasks({ text: "need", status: ["completed"], block: "A" })).toMatchObject({
      total: 1,
      tasks: [{ id: "t3" }],
    });
    expect((await board.tasks({ text: "needle", ready: true })).total).toBe(413);
    const seen: string[] = [];
    for (let cursor: string | undefined = "0"; cursor !== undefined; ) {
      const page = await board.tasks({ text: "needle", block: "B", limit: 100, cursor });
      expect(page.total).toBe(207);
      seen.push(...page.tasks.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(tasks.flatMap(({ task_id }, index) => (index % 3 === 0 ? [task_id] : [])));
  });

  it("are found in a store of before", async () => {
    const place = await engine.fresh();
    const old = openDatabase<WorkbenchTables>(place, migrations.slice(0, before));
    await old.transaction(async (tx) => {
      const times = { created_at: 1, updated_at: 1, revision: 1 };
      await tx
        .insertInto("block")
        .values({ id: "aaaaaa", name: "A", document: "{}", ...times })
        .execute();
      const task = { block: 1, status: "pending", commit_id: "", ...times };
      for (let from = 0; from < 1_200; from += 100) {
        const rows = Array.from({ length: 100 }, (_, index) => ({
          ...task,
          id: `t${from + index}`,
          name: "x",
          document: JSON.stringify({ description: `number${from + index}` }),
        }));
        await tx.insertInto("task").values(rows).execute();
      }
    });
    await old.close();
    const { board } = openBoard(place);
    for (const number of [0, 499, 500, 1_199])
      expect(await board.tasks({ text: `number${number}`, block: "A" })).toMatchObject({
        tasks: expect.arrayContaining([expect.objectContaining({ id: `t${number}` })]),
      });
  });
});

it("are read from the index in their order", async () => {
  const { folder: project } = projectFolder(fileOf(blockInFile("A", "aaaaaa", [taskInFile("t1")])));
  const { board, database } = openBoard({ file: `${project}/.forge/forge.db` }, { folder: project });
  await board.tasks({});
  const query = matchQuery("sqlite", ["x", "y"], { after: 7, limit: 200 });
  const steps = await database.read(
    async (db) => (await sql<{ detail: string }>`explain query plan ${query}`.execute(db)).rows,
  );
  expect(steps.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SCAN task_search VIRTUAL TABLE INDEX .+M/),
  ]);
});
