import fc from "fast-check";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { migrations } from "../../../../../test/harness/db/all-migrations.ts";
import { describeOnEngines } from "../../../../../test/harness/db/store.ts";
import {
  blockInFile,
  by,
  fileOf,
  type OpenBoard,
  openBoard,
  person,
  projectFolder,
  taskInFile,
} from "../../../../../test/harness/rooms/workbench/workbench-board.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { openDatabase } from "../../../../platform/db/database.ts";
import { type StatusSource, taskStatuses } from "../../model/limits.ts";
import type { TaskFilter, TaskSummary } from "../../model/task-model.ts";
import type { WorkbenchTables } from "../../store/schema.ts";
import { updateAllWaits } from "../service/waiting-tasks.ts";

/** Few, and some the same, so that one name stands for now this and now that. */
const blockNames = ["One", "Two", "t1", "a/b"];
const taskIds = ["t1", "t2", "t3", "x", "b/t1"];
const refs = [
  ...["t1", "t2", "t3", "x", "b/t1", "new"],
  ...["one", "two", "One", "Two", "a/b"],
  ...["one/t1", "two/t1", "One/t2", "Two/t3", "x/t2", "a/b/t1", "one/new", "t1/t2"],
];

const block = fc.constantFrom("one", "two", "x");
const name = fc.constantFrom(...blockNames);
const task = fc.constantFrom(...taskIds);
const status = fc.constantFrom(...taskStatuses, "completed" as const, "completed" as const);
const dependencies = fc.uniqueArray(fc.constantFrom(...refs), { maxLength: 2 });

const inFile = { pending: "[TODO]", in_progress: "[IN-PROGRESS]", completed: "[COMPLETED]", failed: "[FAILED]" };
const fileTask = fc.record({ task_id: task, status: status.map((one) => inFile[one]), dependencies });
const fileBlocks = fc.uniqueArray(
  fc.record({
    id: block,
    name,
    tasks: fc.uniqueArray(fileTask, { selector: ({ task_id }) => task_id, maxLength: 5 }),
  }),
  { comparator: (a, b) => a.id === b.id || a.name === b.name, minLength: 2, maxLength: 3 },
);
type FileBlocks = typeof fileBlocks extends fc.Arbitrary<infer Some> ? Some : never;

const does = <const Deed extends string>(deed: Deed) => fc.constant(deed);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: does("status"), block, task, status }) },
  { weight: 4, arbitrary: fc.record({ do: does("waitFor"), block, task, dependencies }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: does("task"),
      block,
      task: fc.constantFrom(...taskIds, "new", "One"),
      status,
      dependencies,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: does("claim"), block, task }) },
  { weight: 1, arbitrary: fc.record({ do: does("release"), block, task }) },
  { weight: 1, arbitrary: fc.record({ do: does("expire") }) },
  { weight: 2, arbitrary: fc.record({ do: does("block"), id: block, name }) },
  { weight: 2, arbitrary: fc.record({ do: does("rename"), block, name }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: does("import"),
      statuses: fc.constantFrom("furthest" as const, "file" as const),
      blocks: fileBlocks,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function take({ board, database }: OpenBoard, one: Step): Promise<unknown> {
  switch (one.do) {
    case "block":
      return board.createBlock(by(), { id: one.id, name: one.name });
    case "rename":
      return board.updateBlock(by(), one.block, { name: one.name });
    case "task": {
      const { task: id, status: first, dependencies: waits } = one;
      return board.createTask(by(person), one.block, { name: "x", id, status: first, dependencies: waits });
    }
    case "status":
      return board.updateTask(by(person), one.block, one.task, { status: one.status });
    case "waitFor":
      return board.updateTask(by(person), one.block, one.task, { dependencies: one.dependencies });
    case "claim":
      return board.claim(by(person), one.block, one.task, {});
    case "release":
      return board.release(by(person), one.block, one.task);
    case "expire":
      return database.transaction((tx) => sql`update lease set renewed_at = renewed_at - ttl_ms * 2`.execute(tx));
    case "import":
      return bringIn(board, one.blocks, one.statuses);
  }
}

function bringIn(board: OpenBoard["board"], blocks: FileBlocks, statuses?: StatusSource) {
  const written = blocks.map(({ name: called, id, tasks }) =>
    blockInFile(
      called,
      id,
      tasks.map((given) => taskInFile(given.task_id, given)),
    ),
  );
  return board.importFile(by(person), { other: { text: fileOf(...written), name: "given.json" }, statuses });
}

/** What is asked of the index is what a look at each task, by what it waits for, finds; page by page. */
async function compare({ board }: OpenBoard, filter: TaskFilter, limit: number): Promise<void> {
  const { tasks } = await board.tasks({ ...filter, limit: 500 });
  for (const ready of [true, false]) {
    const expected = tasks.filter((one) => one.ready === ready).map(timeless);
    const found: typeof expected = [];
    let cursor: string | undefined;
    do {
      const page = await board.tasks({ ...filter, ready, limit, cursor });
      expect(page.total).toBe(expected.length);
      found.push(...page.tasks.map(timeless));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found).toEqual(expected);
  }
}

/** Until when somebody has claimed it is reckoned anew with each look. */
const timeless = ({ claim, ...task }: TaskSummary) => ({ ...task, holder: claim?.holder });

async function compareFilters(room: OpenBoard): Promise<void> {
  const { blocks } = await room.board.blocks({});
  const filters: TaskFilter[] = [
    { status: ["pending", "failed", "failed"] },
    { status: ["completed"] },
    ...blocks.flatMap(({ id }) => [{ block: id }, { block: id, status: ["in_progress" as const] }]),
  ];
  for (const filter of filters) await compare(room, filter, 2);
}

/** What is kept about waiting, as it is and as it is when all is found anew: so a store of before is brought up to it. */
async function keptAndAnew({ database }: OpenBoard): Promise<[kept: unknown, anew: unknown]> {
  const all = () =>
    database.read(async (db) => [
      (await sql`select seq, waits from task order by seq`.execute(db)).rows,
      (await sql`select * from task_count where count > 0 order by block, status`.execute(db)).rows,
      (await sql`select * from task_total where count > 0 order by status`.execute(db)).rows,
    ]);
  const kept = await all();
  await database.transaction(async (tx) => {
    for (const table of ["task_count", "task_total"])
      await sql`update ${sql.table(table)} set free = count`.execute(tx);
    await sql`update task set waits = 0`.execute(tx);
    await updateAllWaits(tx);
  });
  return [kept, await all()];
}

describeOnEngines("tasks that can be executed", (engine) => {
  it("are those that a look at each one finds, whatever has happened", { timeout: 120_000 }, async () => {
    const steps = fc.array(step, { minLength: 5, maxLength: 15 });
    const property = fc.asyncProperty(fileBlocks, steps, async (first, others) => {
      const room = openBoard(await engine.fresh(), { folder: projectFolder().folder });
      await bringIn(room.board, first);
      for (const one of others) {
        await take(room, one).catch((error: unknown) => {
          if (!(error instanceof ForgeError)) throw error;
        });
        await compare(room, {}, 500);
      }
      await compareFilters(room);
      const [kept, anew] = await keptAndAnew(room);
      expect(kept).toEqual(anew);
    });
    await fc.assert(property, { numRuns: engine.name === "sqlite" ? 40 : 5 });
  });

  it("follow a block's name", async () => {
    const { board } = openBoard(await engine.fresh());
    for (const id of ["one", "two"]) await board.createBlock(by(), { id, name: id.toUpperCase() });
    await board.createTask(by(person), "one", { name: "x", id: "done", status: "completed" });
    await board.createTask(by(), "two", { name: "y", id: "next", dependencies: ["First/done"] });
    const ready = async () => (await board.tasks({ ready: true })).tasks.map(({ id }) => id);
    expect(await ready()).toEqual([]);
    await board.updateBlock(by(), "one", { name: "First" });
    expect(await ready()).toEqual(["next"]);
    await board.updateBlock(by(), "one", { name: "Last" });
    expect(await ready()).toEqual([]);
  });

  it("are known in a store that was made before they were kept", async () => {
    const place = await engine.fresh();
    const before = openDatabase<WorkbenchTables>(place, migrations.slice(0, 12));
    const times = { created_at: 1, updated_at: 1, revision: 1, document: "{}" };
    await before.transaction(async (tx) => {
      const { seq } = await tx
        .insertInto("block")
        .values({ id: "one", name: "One", ...times })
        .returning("seq")
        .executeTakeFirstOrThrow();
      for (const [id, waitsFor] of [
        ["a", undefined],
        ["b", "a"],
      ] as const) {
        const row = { block: seq, id, name: id, status: "pending", commit_id: "", ticket: null, updated_by: null };
        const made = await tx
          .insertInto("task")
          .values({ ...row, ...times })
          .returning("seq")
          .executeTakeFirstOrThrow();
        if (waitsFor !== undefined)
          await tx.insertInto("task_dependency").values({ task: made.seq, place: 0, ref: waitsFor }).execute();
      }
      await sql`insert into task_count (block, status, count) values (${seq}, 'pending', 2)`.execute(tx);
      await sql`insert into task_total (status, count) values ('pending', 2)`.execute(tx);
    });
    await before.close();
    const { board } = openBoard(place);
    expect(await board.tasks({ ready: true })).toMatchObject({ total: 1, tasks: [{ id: "a" }] });
    expect(await board.tasks({ ready: false, block: "one" })).toMatchObject({ total: 1, tasks: [{ id: "b" }] });
  });
});
