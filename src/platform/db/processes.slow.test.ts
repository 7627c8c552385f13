import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnEngines } from "../../../test/harness/db/store.ts";
import { addCounter, addNote, countOf, type DemoTables, openDemo } from "../../../test/harness/db/store-demo.ts";
import type { Job } from "../../../test/harness/db/store-jobs.ts";
import { StoreProcess } from "../../../test/harness/db/store-processes.ts";
import type { Database } from "./database.ts";
import type { Place } from "./types.ts";

const processCount = 8;

describeOnEngines("several processes", (engine) => {
  const onSqlite = engine.name === "sqlite";
  let processes: StoreProcess[];
  beforeAll(async () => {
    processes = await StoreProcess.startMany(processCount);
  });
  afterAll(() => Promise.all(processes.map((process) => process.kill())));

  const all = (job: Job) => Promise.all(processes.map((process) => process.run(job)));

  async function using<T>(place: Place, work: (db: Database<DemoTables>) => Promise<T>): Promise<T> {
    const db = openDemo(place);
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  }

  test("starting at once on a fresh database, all find it migrated", async () => {
    for (let round = 0; round < (onSqlite ? 10 : 4); round++) {
      await expect(all({ job: "migrate", place: await engine.fresh() })).resolves.toEqual(Array(processCount).fill(0));
    }
  });

  const times = onSqlite ? 200 : 50;
  test(`${processCount} x ${times} read-modify-write transactions lose nothing`, async () => {
    const place = await engine.fresh();
    await using(place, (db) => addCounter(db, "c"));
    await all({ job: "increment", place, times });
    expect(await using(place, (db) => countOf(db, "c"))).toBe(processCount * times);
  });

  test("revision checks lose nothing either, and refuse some", async () => {
    const place = await engine.fresh();
    await using(place, async (db) => {
      await addNote(db, "n");
      await db.transaction((tx) => tx.updateTable("note").set({ text: "0" }).execute());
    });
    const each = 40;
    const refused = await all({ job: "increment-revised", place, times: each });
    const note = await using(place, (db) =>
      db.read((reads) => reads.selectFrom("note").selectAll().executeTakeFirst()),
    );
    expect(note).toMatchObject({ text: String(processCount * each), revision: 1 + processCount * each });
    expect(refused.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  });
});
